// The guide for parents and clients says what the program does (S2-43).
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { EXIT_CODES, parseArgs, Stop } from '../../../src/surfaces/browseros/process.ts';

const guide = readFileSync('docs/browseros.md', 'utf8');

it('names every exit code and every line about arguments (S2-43)', () => {
  for (const code of [0, ...Object.values(EXIT_CODES)]) expect(guide).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'));
  const wrong = ['--mcp-port=abc', '--headless'];
  for (const argv of [wrong, ['--cdp-port=1', '--cdp-port=1', '--mcp-port=1']]) {
    try {
      parseArgs(argv);
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      for (const line of error.lines.slice(0, -1)) expect(guide).toContain(`\`${line}\``);
    }
  }
});

it('shows how to start it, the HTTP API, clients, and what to do when something is wrong (S2-43)', () => {
  for (const heading of ['Arguments', 'For a parent process', 'HTTP', 'Clients', 'When something is wrong'])
    expect(guide).toContain(`\n## ${heading}\n`);
  for (const [, json = ''] of guide.matchAll(/```json\n([\s\S]*?)```/g)) expect(JSON.parse(json)).toBeTypeOf('object');
});
