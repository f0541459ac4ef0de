#include "plan/reach/reach_proof.h"
vouch_status reach_proof_begin(reach_proof *p, const reach_model *r, bool regrets)
{
    (void)p, (void)r, (void)regrets;
    return VOUCH_OK;
}
void reach_proof_close(reach_proof *p, const reach_model *r, long long id, const reach_set *x, bool regrets)
{
    (void)p, (void)r, (void)id, (void)x, (void)regrets;
}
void reach_proof_remove(reach_proof *p, const reach_model *r, long long id, const reach_set *x, const reach_removed *what)
{
    (void)p, (void)r, (void)id, (void)x, (void)what;
}
void reach_proof_branch(reach_proof *p, long long id, int node) { (void)p, (void)id, (void)node; }
void reach_proof_child(reach_proof *p, long long child, long long id, int choice) { (void)p, (void)child, (void)id, (void)choice; }
void reach_proof_end(reach_proof *p, double least, bool whole) { (void)p, (void)least, (void)whole; }
