#include "CRunPage.h"

// Files are put in by the compiler, so that each is written once and edited as what it is.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char document[] = {
#embed "page.html"
    , 0};
static const char style[] = {
#embed "common.css"
    ,
#embed "page.css"
    , 0};
static const char script[] = {
#embed "common.js"
    ,
#embed "page.js"
    , 0};
static const char campaign_style[] = {
#embed "common.css"
    ,
#embed "campaign.css"
    , 0};
static const char campaign_script[] = {
#embed "common.js"
    ,
#embed "campaign.js"
    , 0};
static const char index_script[] = {
#embed "common.js"
    ,
#embed "index.js"
    , 0};
static const char replay[] = {
#embed "replay.py"
    , 0};

const char *run_page_document(void) { return document; }
const char *run_page_style(void) { return style; }
const char *run_page_script(void) { return script; }
const char *campaign_page_style(void) { return campaign_style; }
const char *campaign_page_script(void) { return campaign_script; }
const char *run_index_script(void) { return index_script; }
const char *replay_script(void) { return replay; }
