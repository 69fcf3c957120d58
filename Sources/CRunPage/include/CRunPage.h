// The parts of the page of a run, as text that ends with a zero.
const char *run_page_document(void);
const char *run_page_style(void);
const char *run_page_script(void);
