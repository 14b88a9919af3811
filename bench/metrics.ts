// The rows of the table: what is measured, in which unit, and what Tabwright must reach.

export const TASK_NAMES = [
  'start',
  'navigate',
  'snapshot-20',
  'controls-20',
  'snapshot-1000',
  'article',
  'click',
  'fill',
  'evaluate',
  'screenshot',
  'form',
  'memory',
  'http',
] as const;

export type TaskName = (typeof TASK_NAMES)[number];

/** At most so many times the best peer (of all, or of those that run on Node) and so many times Chrome itself, or at most so much. */
export type Target = { ratio: number; of?: 'node'; raw?: number } | { most: number };

export interface Metric {
  task: TaskName;
  label: string;
  unit: 'ms' | 'characters' | 'MB' | 'calls/s' | 'tools';
  /** For most units less is better; for the others there may be no better. */
  better?: 'more' | 'neither';
  target?: Target;
}

const METRICS = {
  startToList: { task: 'start', label: 'start → tools/list', unit: 'ms', target: { ratio: 0.3, of: 'node', raw: 1.6 } },
  startToPage: { task: 'start', label: 'start → first page', unit: 'ms', target: { ratio: 0.85, raw: 1.4 } },
  navigate: { task: 'navigate', label: 'navigate, small page', unit: 'ms', target: { ratio: 0.6, raw: 1.35 } },
  snapshot20: { task: 'snapshot-20', label: 'snapshot, 20 rows', unit: 'ms', target: { ratio: 0.5, raw: 1.6 } },
  snapshot20Chars: { task: 'snapshot-20', label: 'snapshot, 20 rows', unit: 'characters', target: { ratio: 1 } },
  controls20: { task: 'controls-20', label: 'snapshot, 20 rows, controls only', unit: 'ms' },
  controls20Chars: { task: 'controls-20', label: 'snapshot, 20 rows, controls only', unit: 'characters' },
  snapshot1000: { task: 'snapshot-1000', label: 'snapshot, 1000 rows', unit: 'ms', target: { ratio: 0.35, raw: 1.8 } },
  snapshot1000Chars: {
    task: 'snapshot-1000',
    label: 'snapshot, 1000 rows',
    unit: 'characters',
    target: { most: 25_000 },
  },
  article: { task: 'article', label: 'snapshot, long article', unit: 'ms' },
  articleChars: { task: 'article', label: 'snapshot, long article', unit: 'characters' },
  click: { task: 'click', label: 'click by ref', unit: 'ms', target: { ratio: 0.35, raw: 1.6 } },
  fill: { task: 'fill', label: 'fill by ref', unit: 'ms', target: { ratio: 0.35, raw: 1.6 } },
  evaluate: { task: 'evaluate', label: 'evaluate', unit: 'ms', target: { ratio: 0.08, raw: 2.2 } },
  screenshot: { task: 'screenshot', label: 'screenshot', unit: 'ms', target: { ratio: 0.5, raw: 1.2 } },
  form: { task: 'form', label: 'whole form task', unit: 'ms', target: { ratio: 0.4 } },
  formChars: { task: 'form', label: 'whole form task', unit: 'characters', target: { ratio: 1 } },
  listChars: { task: 'start', label: 'size of tools/list', unit: 'characters', target: { most: 20_000 } },
  listTools: { task: 'start', label: 'tools in the list', unit: 'tools', better: 'neither' },
  memoryFirst: { task: 'start', label: 'server memory, first page', unit: 'MB' },
  memory: { task: 'memory', label: 'server memory, after the rounds', unit: 'MB', target: { most: 90 } },
  httpOne: { task: 'http', label: 'HTTP, one call at a time', unit: 'calls/s', better: 'more' },
  httpFour: { task: 'http', label: 'HTTP, four calls at a time', unit: 'calls/s', better: 'more' },
} as const satisfies Record<string, Metric>;

export type MetricKey = keyof typeof METRICS;

export const metricKeys = Object.keys(METRICS) as MetricKey[];

export const metricOf = (key: MetricKey): Metric => METRICS[key];

/** What one measurement gave. */
export type Figures = Partial<Record<MetricKey, number>>;
