// The 73 tools with their arguments and paths, as their document and the project behind it give them: what the dialect is checked against.

export interface SeedTool {
  /** Of the requirement. */
  id: string;
  category: string;
  name: string;
  /** `selector* delay_ms=50 format=png{png,jpeg}`: required, with a default, with values. */
  takes: string;
  /** Method and path below /api; without a slash, below /api/browser/:profile_id. */
  paths: string[];
}

const rows: Record<string, [id: string, name: string, takes: string, ...paths: string[]][]> = {
  Profile: [
    ['S4-30', 'list_profiles', '', 'GET /profiles'],
    ['S4-31', 'get_profile', 'id*', 'GET /profiles/:id'],
    [
      'S4-32',
      'create_profile',
      'name* user_data_dir* lang=en-US proxy_server timezone fingerprint tags=[] custom_args=[]',
      'POST /profiles',
    ],
    [
      'S4-33',
      'update_profile',
      'id* name* description= user_data_dir* lang=en-US proxy_server timezone fingerprint tags=[] custom_args=[]',
      'PUT /profiles/:id',
    ],
    ['S4-34', 'delete_profile', 'id*', 'DELETE /profiles/:id'],
  ],
  Lifecycle: [
    ['S4-35', 'launch_browser', 'profile_id*', 'POST /launch/:profile_id'],
    ['S4-36', 'kill_browser', 'profile_id*', 'POST /kill/:profile_id'],
    ['S4-37', 'get_running_browsers', '', 'GET /running'],
  ],
  Navigation: [
    [
      'S4-38',
      'navigate',
      'profile_id* url* wait_until=load{load,domcontentloaded,networkidle,none} timeout_ms=15000',
      'POST navigate',
      'POST navigate_wait',
    ],
    ['S4-39', 'go_back', 'profile_id*', 'POST back'],
    ['S4-40', 'go_forward', 'profile_id*', 'POST forward'],
    ['S4-41', 'reload', 'profile_id*', 'POST reload'],
    ['S4-42', 'wait_for_navigation', 'profile_id* timeout_ms=15000', 'POST wait_for_navigation', 'POST wait_for_nav'],
    ['S4-43', 'get_current_url', 'profile_id*', 'GET url'],
    ['S4-44', 'get_page_title', 'profile_id*', 'GET title'],
  ],
  Mouse: [
    ['S4-45', 'click', 'profile_id* selector*', 'POST click'],
    ['S4-46', 'hover', 'profile_id* selector*', 'POST hover'],
    ['S4-47', 'double_click', 'profile_id* selector*', 'POST double_click'],
    ['S4-48', 'right_click', 'profile_id* selector*', 'POST right_click'],
    ['S4-49', 'click_at', 'profile_id* x* y*', 'POST click_at'],
    ['S4-50', 'drag', 'profile_id* from_selector* to_selector*', 'POST drag'],
  ],
  Keyboard: [
    ['S4-51', 'type_text', 'profile_id* selector* text*', 'POST type'],
    ['S4-52', 'slow_type', 'profile_id* selector* text* delay_ms=50', 'POST slow_type'],
    ['S4-53', 'press_key', 'profile_id* key*', 'POST press_key'],
  ],
  Forms: [
    ['S4-54', 'select_option', 'profile_id* selector* value*', 'POST select', 'POST select_option'],
    ['S4-55', 'upload_file', 'profile_id* selector* file_path*', 'POST upload', 'POST upload_file'],
  ],
  'Scroll/Wait': [
    ['S4-56', 'scroll', 'profile_id* direction*{up,down,left,right} amount=500', 'POST scroll'],
    ['S4-57', 'scroll_element', 'profile_id* selector* delta_x=0 delta_y=0', 'POST scroll_element'],
    ['S4-58', 'scroll_into_view', 'profile_id* selector*', 'POST scroll_into_view'],
    ['S4-59', 'wait_for_element', 'profile_id* selector* timeout_ms=5000', 'POST wait_for'],
    ['S4-60', 'wait_for_text', 'profile_id* text* timeout_ms=30000', 'POST wait_for_text'],
    ['S4-61', 'wait_for_url', 'profile_id* pattern* timeout_ms=15000', 'POST wait_for_url'],
  ],
  Observe: [
    ['S4-62', 'get_page_state', 'profile_id*', 'GET page_state'],
    ['S4-63', 'get_ax_tree', 'profile_id*', 'GET ax_tree'],
    ['S4-64', 'screenshot', 'profile_id* full_page=false format=png{png,jpeg,webp} quality', 'GET screenshot'],
    [
      'S4-65',
      'screenshot_element',
      'profile_id* selector* format=png{png,jpeg,webp} quality',
      'POST screenshot_element',
      'GET screenshot_element',
    ],
    ['S4-66', 'get_dom_context', 'profile_id*', 'GET dom_context'],
    ['S4-67', 'extract_data', 'profile_id* selectors*', 'POST extract'],
    ['S4-68', 'get_page_text', 'profile_id*', 'GET page_text'],
  ],
  'AX-Ref': [
    ['S4-69', 'click_ref', 'profile_id* ref_id*', 'POST click_ref'],
    ['S4-70', 'type_ref', 'profile_id* ref_id* text*', 'POST type_ref'],
    ['S4-71', 'focus_ref', 'profile_id* ref_id*', 'POST focus_ref'],
  ],
  JavaScript: [['S4-72', 'evaluate_js', 'profile_id* expression*', 'POST evaluate']],
  Tabs: [
    ['S4-73', 'list_tabs', 'profile_id*', 'GET tabs'],
    ['S4-74', 'new_tab', 'profile_id* url=about:blank', 'POST tabs/new'],
    ['S4-75', 'switch_tab', 'profile_id* target_id*', 'POST tabs/switch'],
    ['S4-76', 'close_tab', 'profile_id* target_id*', 'POST tabs/close'],
    ['S4-77', 'wait_for_new_tab', 'profile_id* timeout_ms=10000', 'POST wait_for_new_tab', 'POST tabs/wait_new'],
  ],
  Cookies: [
    ['S4-78', 'get_cookies', 'profile_id*', 'GET cookies'],
    ['S4-79', 'set_cookie', 'profile_id* name* value* domain* path=/', 'POST cookies/set'],
    ['S4-80', 'delete_cookies', 'profile_id*', 'POST cookies/clear'],
  ],
  'Cookie portability': [
    ['S4-101', 'export_cookies', 'profile_id* format=json{json,netscape}', 'GET cookies/export'],
    ['S4-101', 'import_cookies', 'profile_id* format=json{json,netscape} data*', 'POST cookies/import'],
  ],
  Console: [
    ['S4-81', 'enable_console_capture', 'profile_id*', 'POST console/enable'],
    ['S4-82', 'get_console_logs', 'profile_id*', 'GET console'],
    ['S4-83', 'clear_console', 'profile_id*', 'POST console/clear'],
  ],
  Network: [
    ['S4-84', 'get_network_log', 'profile_id*', 'GET network_log'],
    ['S4-85', 'clear_network_log', 'profile_id*', 'POST network_log/clear'],
    ['S4-86', 'block_url', 'profile_id* url_pattern*', 'POST intercept/block'],
    [
      'S4-87',
      'mock_url',
      'profile_id* url_pattern* status* body* content_type=application/json headers',
      'POST intercept/mock',
    ],
    ['S4-88', 'clear_intercepts', 'profile_id*', 'POST intercept/clear', 'DELETE intercept'],
  ],
  Dialog: [
    ['S4-89', 'handle_dialog', 'profile_id* action*{accept,dismiss} prompt_text', 'POST dialog', 'POST handle_dialog'],
  ],
  Emulation: [
    [
      'S4-90',
      'emulate',
      'profile_id* width height device_scale_factor mobile user_agent latitude longitude accuracy=100',
      'POST emulate',
    ],
  ],
  Storage: [
    [
      'S4-91',
      'get_storage',
      'profile_id* storage_type=local{local,session}',
      'GET storage/:storage_type',
      'GET storage',
    ],
    [
      'S4-92',
      'set_storage',
      'profile_id* storage_type=local{local,session} key* value*',
      'POST storage/:storage_type',
      'POST storage',
    ],
    [
      'S4-93',
      'clear_storage',
      'profile_id* storage_type=local{local,session} key',
      'DELETE storage/:storage_type',
      'DELETE storage',
    ],
  ],
  Touch: [
    ['S4-94', 'tap', 'profile_id* selector*', 'POST tap'],
    ['S4-95', 'swipe', 'profile_id* selector* direction*{up,down,left,right} distance=300', 'POST swipe'],
  ],
  PDF: [['S4-96', 'print_to_pdf', 'profile_id* landscape=false print_background=true scale=1', 'GET pdf']],
  Frames: [
    ['S4-97', 'get_frames', 'profile_id*', 'GET frames'],
    ['S4-98', 'switch_frame', 'profile_id* frame_id*', 'POST frames/switch', 'POST switch_frame'],
    ['S4-99', 'main_frame', 'profile_id*', 'POST frames/main', 'POST main_frame'],
  ],
  Utility: [['S4-100', 'wait', 'duration_ms*', 'POST wait', 'POST /wait']],
};

export const SEED_TOOLS: readonly SeedTool[] = Object.entries(rows).flatMap(([category, list]) =>
  list.map(([id, name, takes, ...paths]) => ({ id, category, name, takes, paths })),
);

export const SEED_CATEGORIES = Object.keys(rows);
