// The old tools for the network, downloads, history, bookmarks, recordings and traces.
import { isObject, readArgs } from '../decode.ts';
import type { DialectTool, ReadContext, Source } from '../definition.ts';
import { choice, flag, number, onTab, point, ref, tab, text } from './arguments.ts';

/** Everything but images, styles, fonts, media and scripts. */
const DYNAMIC = ['document', 'xhr', 'fetch', 'websocket', 'other'];

const capturing = {
  url: text('Opened then'),
  maxCaptureTime: number(180_000),
  inactivityTimeout: number(60_000, '0: none'),
  includeStatic: flag(false, 'Images, scripts, styles too'),
};
const started: Readonly<Record<string, Source>> = {
  url: 'url',
  max_capture_time: 'maxCaptureTime',
  inactivity_time: { from: 'inactivityTimeout', values: { 0: undefined } },
  'filter.resource_types': { value: DYNAMIC, when: { includeStatic: false } },
};

/** The four names that came before chrome_network_capture. */
const captureStart = (bodies: boolean): DialectTool => ({
  summary: `Record the requests of the page${bodies ? ', with the bodies of the answers' : ''}.`,
  takes: capturing,
  unlisted: true,
  cases: [{ to: 'capture', set: { action: 'start', mode: 'network', include_bodies: bodies }, args: started }],
});
const captureStop: DialectTool = {
  summary: 'Stop recording requests, and list them.',
  takes: {},
  unlisted: true,
  cases: [{ to: 'capture', set: { action: 'stop', mode: 'network' } }],
};

/** On unless it is said otherwise, as soon as overlays are asked for. */
const overlay = (name: string): Source => [
  { value: true, when: { enhancedRendering: true } },
  { from: `enhancedRendering.${name}`, as: value => (isObject(value) ? value.enabled !== false : value) },
  { value: true, when: { enhancedRendering: { is: 'given' } } },
  { value: false },
];
const gifFile: Source = { from: 'filename', as: name => `${name}.gif` };
const recorded: Readonly<Record<string, Source>> = {
  width: 'width',
  height: 'height',
  'overlays.click_indicators': overlay('clickIndicators'),
  'overlays.drag_paths': overlay('dragPaths'),
  'overlays.action_labels': overlay('labels'),
  save_path: gifFile,
  ...onTab,
};

/** The fields and files of a multipart form, by name; several files may have the same. */
function formParts(form: unknown): unknown {
  if (!isObject(form)) return form;
  const { fields, files } = form;
  const parts = [fields, Array.isArray(files) ? filesByName(files) : files].filter(part => part !== undefined);
  if (parts.length === 0) return form;
  return parts.every(isObject) ? Object.assign({}, ...parts) : parts[0];
}

function filesByName(files: readonly unknown[]): Record<string, unknown[]> {
  const byName: Record<string, unknown[]> = {};
  for (const file of files) {
    const name = isObject(file) && Object.hasOwn(file, 'name') ? String(file.name) : 'undefined';
    const before = Object.hasOwn(byName, name) ? (byName[name] ?? []) : [];
    byName[name] = [...before, isObject(file) ? readArgs(FILE, file) : file];
  }
  return byName;
}

const FILE = { path: 'filePath', base64: 'base64Data', url: 'fileUrl', name: 'filename', mime_type: 'contentType' };

export const data: Readonly<Record<string, DialectTool>> = {
  chrome_network_capture: {
    summary: 'Record the requests of the page; stop lists them.',
    takes: { action: choice(['start', 'stop']), needResponseBody: flag(false), ...capturing },
    required: ['action'],
    cases: [
      {
        when: { action: 'start' },
        to: 'capture',
        set: { action: 'start', mode: 'network' },
        args: { include_bodies: 'needResponseBody', ...started },
      },
      { when: { action: 'stop' }, to: 'capture', set: { action: 'stop', mode: 'network' } },
    ],
  },
  chrome_network_capture_start: captureStart(false),
  chrome_network_capture_stop: captureStop,
  chrome_network_debugger_start: captureStart(true),
  chrome_network_debugger_stop: captureStop,
  chrome_network_request: {
    summary: "Send an HTTP request with the browser's cookies.",
    takes: {
      url: text(),
      method: { ...text(), default: 'GET' },
      headers: { type: 'object' },
      body: text(),
      timeout: number(30_000),
      formData: { type: 'object', description: 'Multipart: {fields, files: [{name, filePath or base64Data}]}' },
    },
    required: ['url'],
    cases: [
      {
        to: 'request',
        args: {
          url: 'url',
          method: { from: 'method', as: method => (typeof method === 'string' ? method.toUpperCase() : method) },
          headers: 'headers',
          body: { from: 'body', when: { formData: { is: 'missing' } } },
          timeout: 'timeout',
          form_data: { from: 'formData', as: formParts },
        },
      },
    ],
  },
  chrome_handle_download: {
    summary: 'Wait for a download, and get its path.',
    takes: { filenameContains: text(), timeoutMs: number(60_000), waitForComplete: flag(true) },
    cases: [
      {
        to: 'wait',
        set: { for: 'download' },
        args: { filename_contains: 'filenameContains', timeout: 'timeoutMs', wait_for_complete: 'waitForComplete' },
      },
    ],
  },
  chrome_history: {
    summary: 'Search the visited pages.',
    takes: {
      text: text(),
      startTime: { ...text('ISO, "2 hours ago", "today"'), default: '24 hours ago' },
      endTime: text(),
      maxResults: number(100),
      excludeCurrentTabs: flag(false),
    },
    cases: [
      {
        to: 'history',
        args: {
          query: 'text',
          start_time: 'startTime',
          end_time: 'endTime',
          max_results: 'maxResults',
          exclude_current_tabs: 'excludeCurrentTabs',
        },
      },
    ],
  },
  chrome_bookmark_search: {
    summary: 'Search the bookmarks.',
    takes: { query: text(), maxResults: number(50), folderPath: text('Path or id') },
    cases: [
      {
        to: 'bookmarks',
        set: { action: 'search' },
        args: { query: 'query', max_results: 'maxResults', folder: 'folderPath' },
      },
    ],
  },
  chrome_bookmark_add: {
    summary: 'Bookmark a url, or the page of the active tab.',
    takes: { url: text(), title: text(), parentId: text('Path or id of the folder'), createFolder: flag(false) },
    cases: [
      {
        to: 'bookmarks',
        set: { action: 'add' },
        args: { url: 'url', title: 'title', parent_folder: 'parentId', create_folder: 'createFolder' },
      },
    ],
  },
  chrome_bookmark_delete: {
    summary: 'Delete a bookmark, by id or by url.',
    takes: { bookmarkId: text(), url: text(), title: text('Tells two of one url apart') },
    cases: [
      {
        to: 'bookmarks',
        set: { action: 'delete' },
        args: { bookmark_id: 'bookmarkId', url: 'url', title: 'title' },
      },
    ],
  },
  chrome_gif_recorder: {
    summary: 'Record the tab as a GIF: start (at a steady rate) or auto_start (a frame after each action), act, stop.',
    takes: {
      action: choice(['start', 'stop', 'status', 'auto_start', 'capture', 'clear', 'export']),
      ...tab,
      fps: number(5),
      durationMs: number(5_000),
      maxFrames: number(undefined, '50, or 100 after auto_start'),
      width: number(800),
      height: number(600),
      maxColors: number(256),
      filename: text('Without the ending'),
      captureDelayMs: number(150),
      frameDelayCs: number(20),
      annotation: text('For capture: text on the frame'),
      download: flag(true),
      coordinates: point,
      ref,
      selector: text(),
      enhancedRendering: {
        type: ['boolean', 'object'],
        description: 'true, or {clickIndicators, dragPaths, labels}: what is drawn on the frames',
      },
    },
    required: ['action'],
    ignored: {
      maxColors: 'the colours are chosen for each recording',
      captureDelayMs: 'a frame is taken when the action is done',
      frameDelayCs: 'frames play at a rate that can be followed',
      download: 'the file is always kept, in the output folder',
    },
    refused: {
      coordinates: 'a recording cannot be dropped on a page; upload its file',
      ref: 'a recording cannot be dropped on a page; upload its file',
      selector: 'a recording cannot be dropped on a page; upload its file',
    },
    cases: [
      {
        when: { action: 'start' },
        to: 'record',
        set: { action: 'start', mode: 'fixed_fps', format: 'gif' },
        args: { fps: 'fps', max_duration: 'durationMs', max_frames: ['maxFrames', { value: 50 }], ...recorded },
      },
      {
        when: { action: 'auto_start' },
        to: 'record',
        set: { action: 'start', mode: 'auto_capture', format: 'gif', max_duration: 3_600_000 },
        args: { max_frames: ['maxFrames', { value: 100 }], ...recorded },
      },
      {
        when: { action: 'capture' },
        to: 'record',
        set: { action: 'capture_frame' },
        args: { annotation: 'annotation', ...onTab },
      },
      {
        when: { action: 'stop' },
        to: 'record',
        set: { action: 'stop' },
        args: { save_path: gifFile, ...onTab },
      },
      { when: { action: 'status' }, to: 'record', set: { action: 'status' }, args: onTab },
      { when: { action: 'clear' }, refuse: 'a recording is kept until it is saved: call it with action stop' },
      { when: { action: 'export' }, refuse: 'action stop saves the recording and tells its path' },
    ],
  },
  performance_start_trace: {
    summary: 'Record a performance trace of the page.',
    takes: { reload: flag(false), autoStop: flag(false), durationMs: number(5_000, 'With autoStop') },
    cases: [
      {
        when: { reload: true },
        calls: [
          {
            to: 'capture',
            set: { action: 'start', mode: 'trace' },
            args: { max_capture_time: { from: 'durationMs', when: { autoStop: true } } },
          },
          { to: 'reload' },
        ],
      },
      {
        to: 'capture',
        set: { action: 'start', mode: 'trace' },
        args: { max_capture_time: { from: 'durationMs', when: { autoStop: true } } },
      },
    ],
  },
  performance_stop_trace: {
    summary: 'Stop the trace: its summary, and its file.',
    takes: { saveToDownloads: flag(true), filenamePrefix: text() },
    cases: [
      {
        to: 'capture',
        set: { action: 'stop', mode: 'trace' },
        args: {
          save_path: [
            {
              from: 'filenamePrefix',
              when: { saveToDownloads: true },
              as: (prefix, { now }) => `traces/${prefix}-${now}.json`,
            },
            { value: ({ now }: ReadContext) => `traces/trace-${now}.json`, when: { saveToDownloads: true } },
          ],
        },
      },
    ],
  },
  performance_analyze_insight: {
    summary: 'One insight of the last trace, or its summary.',
    takes: { insightName: text('LCPBreakdown, CLSCulprits, …'), timeoutMs: number(60_000) },
    ignored: { timeoutMs: 'the insights are ready when the trace stops' },
    cases: [
      {
        when: { insightName: { is: 'given' } },
        to: 'capture',
        set: { action: 'insight' },
        args: { insight: 'insightName' },
      },
      { to: 'capture', set: { action: 'status', mode: 'trace' } },
    ],
  },
};
