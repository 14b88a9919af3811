// The eight tools with their arguments, as their document and the project behind it give them: what the dialect is checked against.

type Properties = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface SeedTool {
  /** Of the requirement. */
  id: string;
  properties: Properties;
  required?: readonly string[];
}

const sessionId = { type: 'string' };
const flag = (usual: boolean) => ({ type: 'boolean', default: usual });
const text = { type: 'string' };

export const SEED_TOOLS: Readonly<Record<string, SeedTool>> = {
  'browser.navigate': {
    id: 'S3-04',
    properties: {
      url: { type: 'string', format: 'uri' },
      waitUntil: { type: 'string', enum: ['load', 'domcontentloaded', 'networkidle'], default: 'networkidle' },
      timeout: { type: 'number', default: 30_000 },
      sessionId,
    },
    required: ['url'],
  },
  'browser.screenshot': {
    id: 'S3-05',
    properties: { selector: text, fullPage: flag(false), includeAccessibilityTree: flag(true), sessionId },
  },
  'browser.click': {
    id: 'S3-06',
    properties: {
      selector: text,
      waitForNavigation: flag(false),
      timeout: { type: 'number', default: 5_000 },
      sessionId,
    },
    required: ['selector'],
  },
  'browser.fill': {
    id: 'S3-08',
    properties: { selector: text, value: text, clearFirst: flag(true), sessionId },
    required: ['selector', 'value'],
  },
  'browser.snapshot': {
    id: 'S3-07',
    properties: { selector: text, interactiveOnly: flag(false), compact: flag(true), sessionId },
  },
  'browser.scroll': {
    id: 'S3-09',
    properties: {
      direction: { type: 'string', enum: ['up', 'down', 'left', 'right'], default: 'down' },
      pixels: { type: 'number', default: 300 },
      selector: text,
      sessionId,
    },
  },
  'browser.evaluate': {
    id: 'S3-10',
    properties: { script: text, args: { type: 'array', default: [] }, sessionId },
    required: ['script'],
  },
  'browser.close': { id: 'S3-11', properties: { sessionId, graceful: flag(true) } },
};

export const SEED_NAMES = Object.keys(SEED_TOOLS);

/** The name for clients that refuse dots. */
export const safe = (name: string): string => name.replace('.', '_');

/** A schema without the words that describe it. */
export const bare = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).map(([name, { description: _, ...schema }]) => [name, schema]));
