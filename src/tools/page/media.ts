// Tools that make pictures and files of the page.
import { z } from 'zod';
import type { Limits } from '../../engine/limits.ts';
import { IN_ANSWER, PAPERS, pdf as printPdf } from '../../engine/media/pdf.ts';
import { ACTIONS, type RecordingState, record as recordTab } from '../../engine/media/recording/record.ts';
import { MODES, VIDEO_FORMATS } from '../../engine/media/recording/tab-recording.ts';
import { FORMATS, type Screenshot, screenshot as takeScreenshot } from '../../engine/media/screenshot.ts';
import { SNAPSHOT_STYLES } from '../../engine/snapshot/print/filter.ts';
import { takeSnapshot } from '../../engine/snapshot/snapshot.ts';
import type { Tab } from '../../engine/tab/tab.ts';
import { Failure } from '../../errors.ts';
import { savePath, selector, tabId } from '../arguments.ts';
import { counted } from '../effects-text.ts';
import { tool } from '../tool.ts';
import { marked } from '../touches.ts';

export const screenshot = tool({
  name: 'screenshot',
  group: 'media',
  core: true,
  summary: 'Take a picture. To act on the page, a snapshot is cheaper and has refs.',
  on: 'tab',
  effect: 'read',
  time: 15_000,
  input: {
    selector: selector.optional(),
    full_page: z.boolean().default(false),
    format: z.enum(FORMATS).default('png'),
    quality: z.int().min(0).max(100).optional(),
    omit_background: z.boolean().default(false),
    clip: z
      .strictObject({ x: z.number(), y: z.number(), width: z.number().positive(), height: z.number().positive() })
      .optional(),
    scale: z.number().min(0.05).max(4).default(1),
    annotate: z.boolean().default(false).describe('Draw ref numbers: 5 is @e5'),
    whole: z.boolean().default(false).describe('Shrink a long page, instead of showing its top part'),
    max_side: z.int().min(16).max(16_000).optional().describe('Longest side, in pixels'),
    max_bytes: z.int().min(1_000).max(100_000_000).optional().describe('Lowers quality, then size'),
    min_quality: z.int().min(0).max(100).optional().describe('How far quality may be lowered for that'),
    with_snapshot: z.enum(SNAPSHOT_STYLES).optional().describe('Also the page as text'),
    save_path: savePath.optional().describe('To a file instead'),
    save_above: z.int().min(1).optional().describe('A picture of so many bytes goes to a file of the output folder'),
    tabId,
  },
  async run(tab, input, limits) {
    const shot = await takeScreenshot(tab, input, [tab.options.outputDir], limits);
    return { ...shot, ...(await textBeside(tab, input.with_snapshot, limits)) };
  },
  text: data =>
    [
      data.file ? `Saved ${data.width}x${data.height} to ${data.file.path}` : shownSize(data),
      ...(data.refs ?? []),
      ...(data.more === undefined ? [] : [`${data.more} more have no number: use clip or a selector.`]),
      ...(data.snapshot === undefined ? [] : [data.snapshot]),
    ].join('\n'),
});

/** The whole page, whatever the picture shows: its refs tell where to go on. */
async function textBeside(
  tab: Tab,
  style: (typeof SNAPSHOT_STYLES)[number] | undefined,
  limits: Limits,
): Promise<{ snapshot?: string }> {
  if (style === undefined) return {};
  const room = Math.max(LEAST_TEXT, tab.options.maxChars - ROOM);
  try {
    return { snapshot: (await takeSnapshot(tab, { style, compact: true, max_chars: room }, limits)).text };
  } catch (error) {
    // The picture of a page that is still loading is worth having without its text.
    if (error instanceof Failure && error.code === 'page_unresponsive') return { snapshot: error.message };
    throw error;
  }
}

/** For the lines above it. */
const ROOM = 200;
const LEAST_TEXT = 200;

function shownSize({ width, height, scale, jpeg, quality, missing }: Screenshot): string {
  const smaller = scale === undefined ? '' : `, shrunk to ${scale}`;
  const poorer = quality === undefined ? '' : `, quality ${quality}`;
  const other = jpeg ? ', as JPEG because it was too large' : '';
  const less =
    missing === undefined ? '' : `; the lowest ${missing} px of the page are not shown: use save_path for all of it`;
  return `${width}x${height}${smaller}${other}${poorer}${less}`;
}

const margin = z.string().max(20).optional();
const template = z.string().max(100_000).optional();
/** A dash: base64 in the structured data. That is no file which rules for files could be about. */
const fileOrAnswer = marked(z.string().min(1).max(4_096), 'write', path => (path === IN_ANSWER ? [] : [String(path)]));

export const pdf = tool({
  name: 'pdf',
  group: 'media',
  summary: 'Print the page to a PDF file.',
  on: 'tab',
  effect: 'read',
  time: 60_000,
  input: {
    format: z.enum(PAPERS).default('Letter'),
    landscape: z.boolean().default(false),
    scale: z.number().min(0.1).max(2).default(1),
    margin: z
      .strictObject({ top: margin, bottom: margin, left: margin, right: margin })
      .optional()
      .describe('Like "1cm"'),
    display_header_footer: z.boolean().default(false),
    header_template: template,
    footer_template: template,
    print_background: z.boolean().default(true),
    prefer_css_page_size: z.boolean().default(false),
    save_path: fileOrAnswer,
    tabId,
  },
  run: (tab, input, limits) => printPdf(tab, input, limits),
  text: ({ pages, file, bytes }) =>
    file
      ? `Saved ${counted(pages, 'page')} to ${file.path}`
      : `Printed ${counted(pages, 'page')}, ${bytes} bytes: base64 in the structured data.`,
});

export const record = tool({
  name: 'record',
  group: 'media',
  summary: 'Record the tab as a GIF or video: start, act, stop.',
  on: 'tab',
  effect: 'read',
  despiteDialog: true,
  time: 120_000,
  input: {
    action: z.enum(ACTIONS),
    mode: z.enum(MODES).default('auto_capture').describe('auto_capture: one frame an action'),
    format: z.enum(VIDEO_FORMATS).default('gif'),
    fps: z.number().min(0.1).max(30).default(5),
    max_duration: z.number().min(100).max(3_600_000).default(30_000),
    max_frames: z.int().min(1).max(2_000).default(100),
    width: z.int().min(16).max(1_920).default(800),
    height: z.int().min(16).max(1_920).default(600),
    annotation: z.string().max(500).optional().describe('Text on the frame'),
    save_path: savePath.optional(),
    overlays: z
      .strictObject({
        click_indicators: z.boolean().default(true),
        drag_paths: z.boolean().default(true),
        action_labels: z.boolean().default(true),
      })
      .prefault({}),
    tabId,
  },
  run: (tab, input, limits) => recordTab(tab, input, limits),
  text: told,
});

/** Where it stands, in a line. */
function told({ state, frames, ms = 0, mode, format, width, height, ended, missed, file }: RecordingState): string {
  if (state === 'none') return 'Nothing is being recorded.';
  const size = `${frames} ${frames === 1 ? 'frame' : 'frames'}, ${width}x${height} ${format}, ${Math.round(ms / 100) / 10} s`;
  const why = ended === undefined || ended === 'stop' ? '' : `; it had ended by itself (${ended})`;
  const less =
    missed === undefined ? '' : `; ${missed} show the page as it was before, because it could not be pictured`;
  if (file) return `Saved ${size} to ${file.path}${why}${less}`;
  return `${ended ? 'Ended, not saved yet' : `Recording (${mode})`}: ${size}${why}${less}`;
}
