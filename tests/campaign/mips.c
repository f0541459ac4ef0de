#include "campaign/campaign.h"
void campaign_mips(campaign *c) { (void)c; }
