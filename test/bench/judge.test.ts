// The pure parts of the benchmark: medians, ratios, verdicts, table, chart, options.
import { describe, expect, it } from 'vitest';
import { chart } from '../../bench/chart.ts';
import { judge, type Line } from '../../bench/judge.ts';
import { type Figures, type MetricKey, TASK_NAMES } from '../../bench/metrics.ts';
import { readOptions } from '../../bench/options.ts';
import { articlePage, FIRST_WORDS, LAST_WORDS } from '../../bench/pages.ts';
import { report } from '../../bench/report.ts';
import { rotated } from '../../bench/rounds.ts';
import { PEERS, RAW_CDP, type Server, TABWRIGHT, versionBefore } from '../../bench/servers.ts';
import { markdownTable, shownValue, tableRows, terminalTable } from '../../bench/table.ts';
import { median, Tally } from '../../bench/tally.ts';

function tallyOf(figures: Record<string, Figures>): Tally {
  const tally = new Tally();
  for (const [server, each] of Object.entries(figures)) tally.add(server, each);
  return tally;
}

const lineOf = (tally: Tally, metric: MetricKey): Line =>
  judge({ own: TABWRIGHT, peers: PEERS }, tally, TASK_NAMES).find(line => line.metric === metric) as Line;

describe('medians', () => {
  it('take the middle', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 2, 9])).toBe(3);
    expect(median([])).toBeUndefined();
  });
});

describe('a verdict', () => {
  const click = (own: number) =>
    lineOf(
      tallyOf({
        Tabwright: { click: own },
        'playwright-mcp': { click: 500 },
        'chrome-devtools-mcp': { click: 200 },
        'agent-browser': { click: 30 },
      }),
      'click',
    );

  it('compares with the best peer', () => {
    expect(click(9)).toMatchObject({ best: 30, ratio: 0.3, verdict: 'pass' });
    expect(click(15)).toMatchObject({ ratio: 0.5, verdict: 'miss' });
  });

  it('compares the start with peers on Node only', () => {
    const tally = tallyOf({
      Tabwright: { startToList: 130 },
      'playwright-mcp': { startToList: 440 },
      'agent-browser': { startToList: 17 },
    });
    expect(lineOf(tally, 'startToList')).toMatchObject({ best: 440, verdict: 'pass' });
  });

  it('needs no peer for what is bounded', () => {
    expect(lineOf(tallyOf({ Tabwright: { memory: 90 } }), 'memory').verdict).toBe('pass');
    expect(lineOf(tallyOf({ Tabwright: { memory: 91 } }), 'memory').verdict).toBe('miss');
  });

  it('takes the most where more is better', () => {
    const tally = tallyOf({ Tabwright: { httpOne: 300 }, 'playwright-mcp': { httpOne: 2 }, odd: { httpOne: 900 } });
    expect(lineOf(tally, 'httpOne')).toMatchObject({ best: 2, ratio: 150 });
  });

  it('is not given without figures, nor with figures from before a failure', () => {
    expect(lineOf(tallyOf({ 'playwright-mcp': { click: 5 } }), 'click')).not.toHaveProperty('verdict');
    const tally = tallyOf({ Tabwright: { click: 1 }, 'playwright-mcp': { click: 2 }, 'agent-browser': { click: 50 } });
    tally.fail('playwright-mcp', 'click', new Error('refused'));
    expect(lineOf(tally, 'click').best).toBe(50);
    tally.fail('Tabwright', 'click', new Error('refused'));
    expect(lineOf(tally, 'click')).not.toHaveProperty('verdict');
  });
});

describe('what is shown', () => {
  const tally = tallyOf({
    Tabwright: { click: 12.34, evaluate: 2.26, snapshot1000Chars: 24_909 },
    'playwright-mcp': { click: 571 },
    'agent-browser': { click: 29 },
  });
  tally.fail('chrome-devtools-mcp', 'click', new Error('no such tool\nat line 3'));
  const lines = judge({ own: TABWRIGHT, peers: PEERS }, tally, ['click', 'evaluate', 'snapshot-1000']);

  it('has values of sensible length', () => {
    expect([2.26, 7, 12.34, 248_113].map(shownValue)).toEqual(['2.3', '7', '12', '248,113']);
  });

  it('says what failed and what there is not', () => {
    const row = tableRows(lines).find(([label]) => label === 'click by ref');
    expect(row).toEqual(['click by ref', 'ms', '12', '571', 'FAILED', '29', '0.43', '≤ 0.35 ×, ≤ 1.6 × raw', 'miss']);
    expect(
      tableRows(lines)
        .find(([label]) => label === 'evaluate')
        ?.slice(2, 6),
    ).toEqual(['2.3', 'n/a', 'n/a', 'n/a']);
  });

  it('shows references beside the peers, each with its ratio, and judges by Chrome itself but not by another version', () => {
    const tally = tallyOf({ Tabwright: { click: 8 }, 'agent-browser': { click: 29 }, before: { click: 1 } });
    const judged = (references: Server[]) => judge({ own: TABWRIGHT, peers: PEERS, references }, tally, ['click']);
    expect(judged([versionBefore('.')])[0]).toMatchObject({ best: 29, verdict: 'pass' });
    tally.add('raw CDP', { click: 4 });
    const compared = judged([RAW_CDP]);
    expect(compared[0]).toMatchObject({ best: 29, verdict: 'miss' });
    const [heading, row] = tableRows(compared);
    expect(heading?.slice(-5)).toEqual(['× best peer', 'raw CDP', '× raw CDP', 'target', '']);
    expect(row?.slice(-5)).toEqual(['0.28', '4', '2.00', '≤ 0.35 ×, ≤ 1.6 × raw', 'miss']);
  });

  it('leaves out ratios when there are no peers', () => {
    const [heading, ...rows] = tableRows(judge({ own: TABWRIGHT, peers: [] }, tally, ['click', 'snapshot-1000']));
    expect(heading).toEqual(['', 'unit', 'Tabwright', 'target', '']);
    expect(rows.find(([, unit]) => unit === 'characters')?.slice(2)).toEqual(['24,909', '≤ 25,000', 'pass']);
    expect(rows.at(-1)?.slice(2)).toEqual(['12', '', '']);
  });

  it('lines up in the terminal and as Markdown', () => {
    const text = terminalTable([
      ['', 'unit', 'x', ''],
      ['one', 'ms', '1,000', 'pass'],
    ]);
    expect(text).toBe('     unit      x\none  ms    1,000  pass');
    expect(markdownTable(tableRows(lines)).split('\n')[1]).toBe(
      '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |',
    );
  });

  it('is written with date, machine and failures', () => {
    const machine = { date: '2026-11-16', facts: [['CPU', 'fast']] as [string, string][] };
    const text = report(lines, machine, 3, tally.faults);
    for (const part of [
      '2026-11-16, 3 rounds. 1 of 2 targets met.',
      '- CPU: fast',
      '- FAILED: chrome-devtools-mcp, click: no such tool\n',
      '| 571 |',
    ])
      expect(text).toContain(part);
  });

  it('is drawn: bars relative to the best peer, long ones cut, rows without a peer left out', () => {
    const svg = chart(lines, '2026-11-16');
    expect(svg).not.toContain('evaluate');
    const widths = [...svg.matchAll(/class="s(\d)" x="250" y="[\d.]+" width="([\d.]+)"/g)].map(match => [
      match[1],
      Number(match[2]),
    ]);
    expect(widths).toEqual([
      ['0', expect.closeTo((12.34 / 29) * 115, 0)],
      ['1', 460],
      ['3', 115],
    ]);
    expect(svg.match(/class="cut"/g)).toHaveLength(1);
    expect(svg).toContain('prefers-color-scheme:dark');
  });
});

describe('options', () => {
  it('are few', () => {
    expect(readOptions([])).toEqual({ peers: false, rounds: 10, only: [...TASK_NAMES], write: false });
    expect(readOptions(['--peers', '--rounds', '3'])).toMatchObject({ peers: true, rounds: 3, write: true });
    expect(readOptions(['--peers', '--no-write']).write).toBe(false);
    expect(readOptions(['--peers', '--only', 'click, fill'])).toMatchObject({ only: ['click', 'fill'], write: false });
  });

  it('are checked', () => {
    expect(() => readOptions(['--only', 'clik'])).toThrow('no such name: clik');
    expect(() => readOptions(['--rounds', '0'])).toThrow('1 to 100');
    expect(() => readOptions(['--round', '1'])).toThrow();
  });
});

it('each round begins with another server', () => {
  expect([0, 1, 2, 3].map(round => rotated(['a', 'b', 'c'], round).join(''))).toEqual(['abc', 'bca', 'cab', 'abc']);
});

it('the article is long and whole', () => {
  const page = articlePage();
  expect(page.length).toBeGreaterThan(12_000);
  for (const words of [FIRST_WORDS, LAST_WORDS]) expect(page.split(words)).toHaveLength(2);
});
