// Tools that make pictures and files of the page.
import { z } from 'zod';
import { counted } from '../../engine/amounts.ts';
import { type Limits, savingFolders } from '../../engine/limits.ts';
import { IN_ANSWER, PAPERS, pdf as printPdf } from '../../engine/media/pdf.ts';
import { ACTIONS, type RecordingState, record as recordTab } from '../../engine/media/recording/record.ts';
import { MODES, VIDEO_FORMATS } from '../../engine/media/recording/tab-recording.ts';
import { FORMATS, type Screenshot, screenshot as takeScreenshot } from '../../engine/media/screenshot.ts';
import { SNAPSHOT_STYLES } from '../../engine/snapshot/print/filter.ts';
import { takeSnapshot } from '../../engine/snapshot/snapshot.ts';
import type { Tab } from '../../engine/tab/tab.ts';
import { Failure } from '../../errors.ts';
import { about, int, number, off, on, rare, savePath, selector, tabId, text } from '../arguments.ts';
import { tool } from '../tool.ts';
import { marked } from '../touches.ts';

export const screenshot = tool({
  core: true,
  summary: 'Take a picture. A snapshot is cheaper and has refs.',
  example: ['@e5'],
  answer: { pictures: ['image/png', 'image/jpeg', 'image/webp'] },
  effect: 'read',
  effectWith: ({ save_above }) => (save_above === undefined ? undefined : 'write'),
  time: 15_000,
  input: {
    selector: about('Only this element', selector.optional()),
    full_page: about('The whole page, not only what is seen of it', off),
    format: about('The format of the picture', z.enum(FORMATS).default('png')),
    quality: about('Of a JPEG or WebP', int(0, 100).optional()),
    omit_background: about('Transparent where the page has no background', off),
    clip: about(
      'Only this part, in CSS pixels',
      z
        .strictObject({ x: z.number(), y: z.number(), width: z.number().positive(), height: z.number().positive() })
        .optional(),
    ),
    scale: about('Pixels of the picture for each CSS pixel', number(0.05, 4).default(1)),
    annotate: off.describe('Draw ref numbers: 5 is @e5'),
    max_side: rare('Longest side, in pixels', int(16, 16_000).optional()),
    max_bytes: rare('Most bytes: quality is lowered first, then size', int(1_000, 100_000_000).optional()),
    min_quality: rare('How far quality may be lowered for max_bytes', int(0, 100).optional()),
    with_snapshot: rare('Also the page as text', z.enum(SNAPSHOT_STYLES).optional()),
    save_path: about('Write it to this file instead of into the answer', savePath.optional()),
    save_above: rare('A picture of so many bytes goes to a file of the output folder', z.int().min(1).optional()),
    tabId,
  },
  async run(tab, input, limits) {
    const shot = await takeScreenshot(tab, input, savingFolders(limits), limits);
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

/** A page that was shrunk further than this can hardly be read. */
const READABLE_SCALE = 0.4;

function shownSize({ width, height, scale, jpeg, quality }: Screenshot): string {
  const smaller = scale === undefined ? '' : `, shrunk to ${scale}`;
  const poorer = quality === undefined ? '' : `, quality ${quality}`;
  const other = jpeg ? ', as JPEG because it was too large' : '';
  const hint =
    scale !== undefined && scale < READABLE_SCALE ? '; to read it, take parts (clip) or save it (save_path)' : '';
  return `${width}x${height}${smaller}${other}${poorer}${hint}`;
}

const margin = text(20).optional();
const template = text(100_000).optional();
/** A dash: base64 in the structured data. That is no file which rules for files could be about. */
const fileOrAnswer = marked(z.string().min(1).max(4_096), 'write', path => (path === IN_ANSWER ? [] : [String(path)]));

export const pdf = tool({
  summary: 'Print the page to a PDF file.',
  example: ['page.pdf'],
  effect: 'read',
  time: 60_000,
  input: {
    format: about('The paper', z.enum(PAPERS).default('Letter')),
    landscape: about('The paper lies on its side', off),
    scale: about('How large the page is printed', number(0.1, 2).default(1)),
    margin: about(
      'The margins, such as "1cm"',
      z.strictObject({ top: margin, bottom: margin, left: margin, right: margin }).optional(),
      'Like "1cm"',
    ),
    display_header_footer: about('Print a header and a footer', off),
    header_template: about('HTML of the header, with the classes date, title, url, pageNumber, totalPages', template),
    footer_template: about('HTML of the footer', template),
    print_background: about('Print colours and pictures of backgrounds', on),
    prefer_css_page_size: about('The page itself says the size of the paper (@page)', off),
    save_path: about('File to write; - for base64 in the structured data', fileOrAnswer),
    tabId,
  },
  run: (tab, input, limits) => printPdf(tab, input, limits),
  text: ({ pages, file, bytes }) =>
    file
      ? `Saved ${counted(pages, 'page')} to ${file.path}`
      : `Printed ${counted(pages, 'page')}, ${bytes} bytes: base64 in the structured data.`,
});

export const record = tool({
  summary: 'Record the tab as a GIF or video: start, act, stop.',
  example: ['start'],
  effect: 'read',
  effectWith: ({ action }) => (action === 'stop' ? 'write' : undefined),
  despiteDialog: true,
  time: 120_000,
  input: {
    action: about('capture_frame adds a frame; stop ends it and writes the file', z.enum(ACTIONS)),
    mode: about('auto_capture: one frame an action', z.enum(MODES).default('auto_capture')),
    format: about('The format of the file', z.enum(VIDEO_FORMATS).default('gif')),
    fps: about('Frames per second', number(0.1, 30).default(5)),
    max_duration: about('Longest recording, in ms', number(100, 3_600_000).default(30_000)),
    max_frames: about('Most frames', int(1, 2_000).default(100)),
    width: about('Width of the frames, in pixels', int(16, 1_920).default(800)),
    height: about('Height of the frames, in pixels', int(16, 1_920).default(600)),
    annotation: about('Text on the frame', text(500).optional()),
    save_path: savePath.optional(),
    overlays: about(
      'What is drawn on the frames',
      z.strictObject({ click_indicators: on, drag_paths: on, action_labels: on }).prefault({}),
    ),
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
