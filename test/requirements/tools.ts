// The tools that were asked for, by category, with all their parameters: `name*` is required, `=x` its default, `{a,b}` its values,
// `options.name` one inside another. The numbers are those of the requirements S1-….

const on = 'tabId frameId';
const aim = 'selector coordinates.x coordinates.y';
const MODIFIERS = 'modifiers{Alt,Control,Meta,Shift}';
const WAITS = '{load,domcontentloaded,networkidle}';

export interface Asked {
  number: number;
  name: string;
  parameters: string;
}

const asked = (number: number, name: string, parameters = ''): Asked => ({ number, name, parameters });

/** Category → our group for it, and its tools. */
export const CATEGORIES: Readonly<Record<string, { group: string; tools: readonly Asked[] }>> = {
  'Snapshot & Query': {
    group: 'snapshot',
    tools: [
      asked(
        20,
        'snapshot',
        `mode=full{full,interactive,focused} depth selector compact=false include_text=true include_bounds=false ${on}`,
      ),
      asked(
        21,
        'query',
        // Both are required unless a person points at the element.
        `by{role,text,label,placeholder,alt,title,testid} value options.exact=false options.name options.level options.checked options.pressed options.expanded options.include_hidden=false nth return=ref{ref,count,text,attribute,bounds,all} attribute ${on}`,
      ),
      asked(
        22,
        'locator',
        `chain* chain.method*{role,text,label,placeholder,testid,css,xpath,nth,first,last,filter,within} chain.value chain.options.name chain.options.hasText action{get_ref,click,fill,check,hover} fill_value ${on}`,
      ),
    ],
  },
  Navigation: {
    group: 'navigation',
    tools: [
      asked(
        23,
        'navigate',
        `url action=goto{goto,back,forward,reload} wait_until=load${WAITS} timeout=30000 new_tab=false new_window=false window_size.width=1280 window_size.height=720 background=false headers tabId windowId`,
      ),
      asked(24, 'back', `tabId timeout=30000 wait_until=load${WAITS}`),
      asked(25, 'forward', `tabId timeout=30000 wait_until=load${WAITS}`),
      asked(26, 'reload', `tabId timeout=30000 wait_until=load${WAITS}`),
      asked(27, 'url', 'tabId'),
      asked(28, 'title', 'tabId'),
    ],
  },
  Interaction: {
    group: 'interaction',
    tools: [
      asked(
        29,
        'click',
        `${aim} button=left{left,right,middle} click_count=1 ${MODIFIERS} force=false no_wait_after=false timeout=5000 ${on}`,
      ),
      asked(30, 'dblclick', `${aim} ${MODIFIERS} timeout=5000 ${on}`),
      asked(31, 'hover', `${aim} timeout=5000 ${on}`),
      asked(32, 'fill', `selector* value* clear=true force=false timeout=5000 ${on}`),
      asked(33, 'type', `selector text* delay=50 ${on}`),
      asked(34, 'press', `selector key* repeat=1 delay=0 ${on}`),
      asked(
        35,
        'drag',
        `source source_coordinates.x source_coordinates.y target target_coordinates.x target_coordinates.y steps=10 timeout=5000 ${on}`,
      ),
      asked(
        36,
        'scroll',
        `selector direction{up,down,left,right} amount position.x position.y into_view=false block=center{start,center,end,nearest} smooth=false ${on}`,
      ),
      asked(
        37,
        'upload',
        `selector* files* files.path files.url files.base64 files.name files.mime_type timeout=30000 ${on}`,
      ),
    ],
  },
  Forms: {
    group: 'forms',
    tools: [
      asked(38, 'check', `selector* force=false timeout=5000 ${on}`),
      asked(39, 'uncheck', `selector* force=false timeout=5000 ${on}`),
      asked(40, 'select', `selector* value label index timeout=5000 ${on}`),
      asked(41, 'clear', `selector* timeout=5000 ${on}`),
      asked(42, 'focus', `selector* timeout=5000 ${on}`),
    ],
  },
  Wait: {
    group: 'wait',
    tools: [
      asked(
        43,
        'wait',
        `for*{selector,selector_hidden,text,text_hidden,url,load_state,function,timeout} selector state=visible{attached,detached,visible,hidden} text url load_state${WAITS} function polling=100 duration timeout=30000 ${on}`,
      ),
    ],
  },
  'Tabs & Windows': {
    group: 'tabs',
    tools: [
      asked(44, 'tab_new', 'url active=true windowId'),
      asked(45, 'tab_list', 'windowId'),
      asked(46, 'tab_switch', 'tabId index'),
      asked(47, 'tab_close', 'tabId url'),
      asked(48, 'window_new', 'url width=1280 height=720 incognito=false'),
    ],
  },
  Storage: {
    group: 'storage',
    tools: [
      asked(
        49,
        'cookies',
        'action*{get,get_all,set,delete,clear} url name value domain path=/ secure http_only same_site{Strict,Lax,None} expires domain_filter',
      ),
      asked(
        50,
        'storage',
        'action*{get,set,remove,clear,keys,entries,length} type=local{local,session} key value tabId',
      ),
      asked(
        51,
        'auth_state',
        'action*{save,load,list,delete} name origins include_local_storage=true include_session_storage=false tabId',
      ),
    ],
  },
  Network: {
    group: 'network',
    tools: [
      asked(
        52,
        'request',
        'url* method=GET{GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS} headers body json form_data timeout=30000 follow_redirects=true tabId',
      ),
      asked(
        53,
        'capture',
        'action*{start,stop,status} include_bodies=false filter.url_pattern filter.resource_types{document,stylesheet,image,media,font,script,xhr,fetch,websocket,other} filter.methods max_capture_time=180000 tabId',
      ),
      asked(
        54,
        'route',
        'action*{add,remove,clear,list} url_pattern handler{abort,fulfill,continue} response.status=200 response.headers response.body response.json modify.url modify.method modify.headers modify.post_data route_id tabId',
      ),
    ],
  },
  Media: {
    group: 'media',
    tools: [
      asked(
        55,
        'screenshot',
        'selector full_page=false format=png{png,jpeg,webp} quality omit_background=false clip.x clip.y clip.width clip.height scale=1 save_path tabId',
      ),
      asked(
        56,
        'pdf',
        'format=Letter{Letter,Legal,Tabloid,Ledger,A0,A1,A2,A3,A4,A5,A6} landscape=false scale=1 margin.top margin.bottom margin.left margin.right display_header_footer=false header_template footer_template print_background=true prefer_css_page_size=false save_path* tabId',
      ),
      asked(
        57,
        'record',
        'action*{start,stop,capture_frame,status} mode=auto_capture{fixed_fps,auto_capture} format=gif{gif,webm} fps=5 max_duration=30000 max_frames=100 width=800 height=600 annotation save_path overlays.click_indicators=true overlays.drag_paths=true overlays.action_labels=true tabId',
      ),
    ],
  },
  Emulation: {
    group: 'emulation',
    tools: [
      asked(
        58,
        'viewport',
        'width* height* device_scale_factor=1 is_mobile=false has_touch=false is_landscape=false tabId',
      ),
      asked(
        59,
        'device',
        'name{iPhone 14,iPhone 14 Pro Max,iPhone SE,iPad Pro,iPad Mini,Pixel 7,Pixel 7 Pro,Samsung Galaxy S23,Desktop 1080p,Desktop 1440p,Desktop 4K} custom.viewport.width custom.viewport.height custom.user_agent custom.device_scale_factor custom.is_mobile custom.has_touch tabId',
      ),
      asked(60, 'geolocation', 'latitude longitude accuracy=100 clear=false tabId'),
      asked(
        61,
        'permissions',
        'permissions* permissions.name{geolocation,notifications,camera,microphone,clipboard-read,clipboard-write} permissions.state{granted,denied,prompt} origin tabId',
      ),
      asked(
        62,
        'emulate',
        'color_scheme{light,dark,no-preference} reduced_motion{reduce,no-preference} forced_colors{active,none} media{screen,print} timezone locale offline=false cpu_throttle network_throttle{offline,slow_3g,fast_3g,4g} tabId',
      ),
    ],
  },
  Execution: {
    group: 'execution',
    tools: [
      asked(
        63,
        'evaluate',
        `expression* args await_promise=true return_by_value=true timeout=30000 max_output_size=51200 sanitize=true ${on}`,
      ),
      asked(
        64,
        'console',
        'action=get{get,clear,start_buffer,stop_buffer} level{log,info,warn,error,debug} pattern include_exceptions=true max_messages=100 clear_after_read=false tabId',
      ),
    ],
  },
  'Browser Data': {
    group: 'data',
    tools: [
      asked(65, 'history', 'query start_time end_time max_results=100 exclude_current_tabs=false'),
      asked(
        66,
        'bookmarks',
        'action*{search,add,delete,list_folders} query folder max_results=50 url title parent_folder create_folder=false bookmark_id',
      ),
    ],
  },
  Dialogs: {
    group: 'dialogs',
    tools: [
      asked(
        67,
        'dialog',
        'action*{accept,dismiss,get_message} prompt_text auto_handle.enabled auto_handle.default_action{accept,dismiss} auto_handle.prompt_default_text tabId',
      ),
    ],
  },
};
