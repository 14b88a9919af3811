// Tools that make pictures and files of the page.
import { z } from 'zod';
import { FORMATS, screenshot as takeScreenshot } from '../engine/screenshot.ts';
import { path, selector, tabId } from './arguments.ts';
import { tool } from './tool.ts';

export const screenshot = tool({
  name: 'screenshot',
  group: 'media',
  core: true,
  summary: 'Take a picture of the viewport, the page or an element. To act, a snapshot is cheaper and has refs.',
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
    save_path: path.optional().describe('Keep the original in a file instead'),
    tabId,
  },
  run: (tab, input, limits) => takeScreenshot(tab, input, [tab.options.outputDir], limits),
  text: data => {
    if (data.file) return `Saved ${data.width}x${data.height} to ${data.file.path}`;
    const smaller = data.scale === undefined ? '' : `, shrunk to ${data.scale}`;
    const missing =
      data.missing === undefined
        ? ''
        : `; the lowest ${data.missing} px of the page are not shown: use save_path for all of it`;
    return `${data.width}x${data.height}${smaller}${missing}`;
  },
});
