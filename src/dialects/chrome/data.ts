// The old tools for the network, downloads, history, bookmarks, recordings and traces.
import { isRecord } from '../../defined.ts';
import { readArgs } from '../decode.ts';
import type { NativeStep, ReadContext, Source, Sources, ToolMapping } from '../definition.ts';
import { onTab } from './sources.ts';

/** Everything but images, styles, fonts, media and scripts. */
const DYNAMIC = ['document', 'xhr', 'fetch', 'websocket', 'other'];

const captureStart: Sources = {
  url: 'url',
  max_capture_time: 'maxCaptureTime',
  inactivity_time: { from: 'inactivityTimeout', values: { 0: undefined } },
  'filter.resource_types': { value: DYNAMIC, when: { includeStatic: false } },
};
const captureStop: NativeStep = { tool: 'capture', constants: { action: 'stop', mode: 'network' } };
const startWith = (bodies: boolean): NativeStep => ({
  tool: 'capture',
  constants: { action: 'start', mode: 'network', include_bodies: bodies },
  args: captureStart,
});

const bookmarks = (action: string, args: Sources): NativeStep => ({ tool: 'bookmarks', constants: { action }, args });

const startTrace: NativeStep = {
  tool: 'capture',
  constants: { action: 'start', mode: 'trace' },
  args: { max_capture_time: { from: 'durationMs', when: { autoStop: true } } },
};

/** On unless it is said otherwise, as soon as overlays are asked for. */
const overlay = (name: string): Source => [
  { value: true, when: { enhancedRendering: true } },
  { from: `enhancedRendering.${name}`, convert: value => (isRecord(value) ? value.enabled !== false : value) },
  { value: true, when: { enhancedRendering: { is: 'given' } } },
  { value: false },
];
const gifFile: Source = { from: 'filename', convert: name => `${name}.gif` };
const recorded: Sources = {
  width: 'width',
  height: 'height',
  'overlays.click_indicators': overlay('clickIndicators'),
  'overlays.drag_paths': overlay('dragPaths'),
  'overlays.action_labels': overlay('labels'),
  save_path: gifFile,
  ...onTab,
};

const recording = (action: string, args: Sources = {}): NativeStep => ({
  tool: 'record',
  constants: { action },
  args: { ...args, ...onTab },
});

/** The fields and files of a multipart form, by name; several files may have the same. */
function formParts(form: unknown): unknown {
  if (!isRecord(form)) return form;
  const { fields, files } = form;
  const parts = [fields, Array.isArray(files) ? filesByName(files) : files].filter(part => part !== undefined);
  if (parts.length === 0) return form;
  return parts.every(isRecord) ? Object.assign({}, ...parts) : parts[0];
}

function filesByName(files: readonly unknown[]): Record<string, unknown[]> {
  const byName: Record<string, unknown[]> = {};
  for (const file of files) {
    const name = isRecord(file) && Object.hasOwn(file, 'name') ? String(file.name) : 'undefined';
    const before = Object.hasOwn(byName, name) ? (byName[name] ?? []) : [];
    byName[name] = [...before, isRecord(file) ? readArgs(FILE, file) : file];
  }
  return byName;
}

const FILE = { path: 'filePath', base64: 'base64Data', url: 'fileUrl', name: 'filename', mime_type: 'contentType' };

export const data = {
  chrome_network_capture: {
    cases: [
      {
        when: { action: 'start' },
        tool: 'capture',
        constants: { action: 'start', mode: 'network' },
        args: { include_bodies: 'needResponseBody', ...captureStart },
      },
      { when: { action: 'stop' }, ...captureStop },
    ],
  },
  // The four names that came before chrome_network_capture.
  chrome_network_capture_start: startWith(false),
  chrome_network_capture_stop: captureStop,
  chrome_network_debugger_start: startWith(true),
  chrome_network_debugger_stop: captureStop,
  chrome_network_request: {
    tool: 'request',
    args: {
      url: 'url',
      method: { from: 'method', convert: method => (typeof method === 'string' ? method.toUpperCase() : method) },
      headers: 'headers',
      body: { from: 'body', when: { formData: { is: 'missing' } } },
      timeout: 'timeout',
      form_data: { from: 'formData', convert: formParts },
    },
  },
  chrome_handle_download: {
    tool: 'wait',
    constants: { for: 'download' },
    args: { filename_contains: 'filenameContains', timeout: 'timeoutMs', wait_for_complete: 'waitForComplete' },
  },
  chrome_history: {
    tool: 'history',
    args: {
      query: 'text',
      start_time: 'startTime',
      end_time: 'endTime',
      max_results: 'maxResults',
      exclude_current_tabs: 'excludeCurrentTabs',
    },
  },
  chrome_bookmark_search: bookmarks('search', { query: 'query', max_results: 'maxResults', folder: 'folderPath' }),
  chrome_bookmark_add: bookmarks('add', {
    url: 'url',
    title: 'title',
    parent_folder: 'parentId',
    create_folder: 'createFolder',
  }),
  chrome_bookmark_delete: bookmarks('delete', { bookmark_id: 'bookmarkId', url: 'url', title: 'title' }),
  chrome_gif_recorder: {
    cases: [
      {
        when: { action: 'start' },
        tool: 'record',
        constants: { action: 'start', mode: 'fixed_fps', format: 'gif' },
        args: { fps: 'fps', max_duration: 'durationMs', max_frames: ['maxFrames', { value: 50 }], ...recorded },
      },
      {
        when: { action: 'auto_start' },
        tool: 'record',
        constants: { action: 'start', mode: 'auto_capture', format: 'gif', max_duration: 3_600_000 },
        args: { max_frames: ['maxFrames', { value: 100 }], ...recorded },
      },
      { when: { action: 'capture' }, ...recording('capture_frame', { annotation: 'annotation' }) },
      { when: { action: 'stop' }, ...recording('stop', { save_path: gifFile }) },
      { when: { action: 'status' }, ...recording('status') },
      { when: { action: 'clear' }, refuse: 'a recording is kept until it is saved: call it with action stop' },
      { when: { action: 'export' }, refuse: 'action stop saves the recording and tells its path' },
    ],
  },
  performance_start_trace: {
    cases: [{ when: { reload: true }, calls: [startTrace, { tool: 'reload' }] }, startTrace],
  },
  performance_stop_trace: {
    tool: 'capture',
    constants: { action: 'stop', mode: 'trace' },
    args: {
      save_path: [
        {
          from: 'filenamePrefix',
          when: { saveToDownloads: true },
          convert: (prefix, { now }) => `traces/${prefix}-${now}.json`,
        },
        { value: ({ now }: ReadContext) => `traces/trace-${now}.json`, when: { saveToDownloads: true } },
      ],
    },
  },
  performance_analyze_insight: {
    cases: [
      {
        when: { insightName: { is: 'given' } },
        tool: 'capture',
        constants: { action: 'insight' },
        args: { insight: 'insightName' },
      },
      { tool: 'capture', constants: { action: 'status', mode: 'trace' } },
    ],
  },
} as const satisfies Record<string, ToolMapping>;
