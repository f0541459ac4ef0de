#include "campaign/campaign.h"
void campaign_lps(campaign *c) { (void)c; }
