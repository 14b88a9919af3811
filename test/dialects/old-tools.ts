// The old tools with all their arguments, as they were listed when the names changed: what the dialect is checked against.

const tab = ['tabId'];
const place = [...tab, 'windowId'];
const where = [...place, 'frameId'];

/** Number of the requirement S1-… → tools → arguments. */
export const OLD_TOOLS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  71: { get_windows_and_tabs: [] },
  72: { chrome_navigate: ['url', 'newWindow', ...place, 'background', 'width', 'height', 'refresh'] },
  73: {
    chrome_screenshot: [
      ...['name', 'selector', ...place, 'background', 'width', 'height'],
      ...['storeBase64', 'fullPage', 'savePng', 'maxDimension'],
    ],
  },
  74: { chrome_close_tabs: ['tabIds', 'url'], chrome_switch_tab: place },
  75: { chrome_read_page: ['filter', 'depth', 'refId', ...place] },
  76: {
    chrome_computer: [
      ...['action', 'ref', 'coordinates', 'startRef', 'startCoordinates', 'scrollDirection', 'scrollAmount', 'text'],
      ...['repeat', 'modifiers', 'region', 'selector', 'value', 'elements', 'width', 'height', 'appear', 'timeout'],
      ...['duration', ...tab, 'background'],
    ],
  },
  77: {
    chrome_click_element: [
      ...['selector', 'selectorType', 'ref', 'coordinates', 'double', 'button', 'modifiers', 'waitForNavigation'],
      ...['timeout', ...where],
    ],
  },
  78: { chrome_fill_or_select: ['selector', 'selectorType', 'ref', 'value', ...where] },
  79: { chrome_keyboard: ['keys', 'selector', 'selectorType', 'delay', ...where] },
  80: { chrome_javascript: ['code', ...tab, 'timeoutMs', 'maxOutputBytes'] },
  81: {
    chrome_console: [
      ...['url', ...place, 'background', 'includeExceptions', 'maxMessages', 'mode', 'buffer', 'clear'],
      ...['clearAfterRead', 'pattern', 'onlyErrors', 'limit'],
    ],
  },
  82: {
    chrome_network_capture: [
      ...['action', 'needResponseBody', 'url', 'maxCaptureTime', 'inactivityTimeout', 'includeStatic'],
    ],
    chrome_network_capture_start: ['url', 'maxCaptureTime', 'inactivityTimeout', 'includeStatic'],
    chrome_network_capture_stop: [],
    chrome_network_debugger_start: ['url', 'maxCaptureTime', 'inactivityTimeout', 'includeStatic'],
    chrome_network_debugger_stop: [],
  },
  83: { chrome_network_request: ['url', 'method', 'headers', 'body', 'timeout', 'formData'] },
  84: { chrome_history: ['text', 'startTime', 'endTime', 'maxResults', 'excludeCurrentTabs'] },
  85: {
    chrome_bookmark_search: ['query', 'maxResults', 'folderPath'],
    chrome_bookmark_add: ['url', 'title', 'parentId', 'createFolder'],
    chrome_bookmark_delete: ['bookmarkId', 'url', 'title'],
  },
  86: {
    chrome_upload_file: ['selector', 'filePath', 'fileUrl', 'base64Data', 'fileName', 'multiple', ...place],
  },
  87: { chrome_handle_dialog: ['action', 'promptText'] },
  88: { chrome_handle_download: ['filenameContains', 'timeoutMs', 'waitForComplete'] },
  89: {
    chrome_gif_recorder: [
      ...['action', ...tab, 'fps', 'durationMs', 'maxFrames', 'width', 'height', 'maxColors', 'filename'],
      ...['captureDelayMs', 'frameDelayCs', 'annotation', 'download', 'coordinates', 'ref', 'selector'],
      'enhancedRendering',
    ],
  },
  90: {
    chrome_get_web_content: ['url', ...tab, 'background', 'htmlContent', 'textContent', 'selector'],
  },
  91: { chrome_get_interactive_elements: ['textQuery', 'selector', 'includeCoordinates'] },
  92: { chrome_request_element_selection: ['requests', 'timeoutMs', ...place] },
  93: {
    performance_start_trace: ['reload', 'autoStop', 'durationMs'],
    performance_stop_trace: ['saveToDownloads', 'filenamePrefix'],
    performance_analyze_insight: ['insightName', 'timeoutMs'],
  },
};
