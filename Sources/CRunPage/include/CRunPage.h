// The parts of the pages of a case and of a campaign, and of the index of a run, as text that ends with a zero. All have the
// same document; the index has the style of a campaign.
const char *run_page_document(void);
const char *run_page_style(void);
const char *run_page_script(void);
const char *campaign_page_style(void);
const char *campaign_page_script(void);
const char *run_index_script(void);
// The script that plays a recorded run to a client.
const char *replay_script(void);
