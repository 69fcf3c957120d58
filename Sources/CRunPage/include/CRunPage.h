// The parts of the page of a run and of a campaign, as text that ends with a zero. Both have the same document.
const char *run_page_document(void);
const char *run_page_style(void);
const char *run_page_script(void);
const char *campaign_page_style(void);
const char *campaign_page_script(void);
// The script that plays a recorded run to a client.
const char *replay_script(void);
