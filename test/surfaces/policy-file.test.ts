// The policy file in its three formats: what it may say, and one clear line for each mistake in it.
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/errors.ts';
import { type CallFacts, decide, type Policy } from '../../src/policy/decide.ts';
import { readPolicy } from '../../src/surfaces/policy-file.ts';
import { makeFolders } from '../config/folders.ts';

const YAML = `default: deny
rules:
  - name: no-scripts-on-bank
    decision: deny
    tool: [evaluate, "storage*"]
    url: "https://*.bank.example/**"
  - decision: ask
    effect: danger
    caller: "ci-*"
  - decision: allow
    effect: [read, write]
    path: ~/data/**
  - decision: allow
    effect: read
`;

const TOML = `default = "deny"
[[rules]]
name = "no-scripts-on-bank"
decision = "deny"
tool = ["evaluate", "storage*"]
url = "https://*.bank.example/**"
[[rules]]
decision = "ask"
effect = "danger"
caller = "ci-*"
[[rules]]
decision = "allow"
effect = ["read", "write"]
path = "~/data/**"
[[rules]]
decision = "allow"
effect = "read"
`;

const JSON_TEXT = `{
  "default": "deny",
  "rules": [ // in order
    { "name": "no-scripts-on-bank", "decision": "deny",
      "tool": ["evaluate", "storage*"], "url": "https://*.bank.example/**" },
    { "decision": "ask", "effect": "danger", "caller": "ci-*" },
    { "decision": "allow", "effect": ["read", "write"], "path": "~/data/**" },
    { "decision": "allow", "effect": "read" },
  ],
}`;

function read(name: string, content: string | Uint8Array): Promise<Policy> {
  const { place, working, put } = makeFolders();
  return readPolicy(put(working, name, content), place);
}

/** The one line that stops a start, without the folder. */
async function mistake(name: string, content: string | Uint8Array): Promise<string> {
  const error = await read(name, content).catch((error: unknown) => error);
  if (!(error instanceof Failure)) throw new Error(`no Failure, but ${error}`);
  expect(['bad_input', 'file_error']).toContain(error.code);
  const line = [error.message, error.hint].filter(Boolean).join(' ');
  expect(line).not.toContain('\n');
  return line.replace(/\S*\/(?=policy\.)/g, '');
}

const facts = (more: Partial<CallFacts>): CallFacts => ({
  tool: 'click',
  effect: 'write',
  caller: 'ann',
  urls: [],
  files: [],
  ...more,
});

it.each([
  ['policy.yaml', YAML],
  ['policy.toml', TOML],
  ['policy.json', JSON_TEXT],
])('%s says what it says', async (name, text) => {
  const { place, working, put } = makeFolders();
  const policy = await readPolicy(put(working, name, text), place);
  const bank = { urls: ['https://www.bank.example/x'] };
  const home = `${place.home}/data/x`;
  const rows: [Partial<CallFacts>, string, string][] = [
    [{ tool: 'evaluate', effect: 'danger', ...bank }, 'deny', 'no-scripts-on-bank'],
    [{ tool: 'storage', ...bank }, 'deny', 'no-scripts-on-bank'],
    [{ tool: 'evaluate', effect: 'danger', caller: 'ci-1' }, 'ask', `rule 2 of ${name}`],
    [{ files: [{ named: home, real: home }] }, 'allow', `rule 3 of ${name}`],
    [{ tool: 'snapshot', effect: 'read' }, 'allow', `rule 4 of ${name}`],
    [{ tool: 'click', ...bank }, 'deny', `default of ${name}`],
  ];
  for (const [given, decision, rule] of rows) expect(decide(policy, facts(given))).toEqual({ decision, rule });
});

it('the example of the guide does what the guide says', async () => {
  const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(readFileSync('docs/policy.md', 'utf8')) ?? [];
  const policy = await read('policy.yaml', text);
  const bank = { urls: ['https://www.bank.example/accounts'] };
  const rows: [Partial<CallFacts>, string][] = [
    [{ tool: 'snapshot', effect: 'read', caller: 'ci-7', ...bank }, 'reading-is-fine'],
    [{ tool: 'evaluate', effect: 'danger', ...bank }, 'no-scripts-on-the-bank'],
    [{ tool: 'click', urls: ['https://pay.example/checkout'] }, 'payments-need-a-yes'],
    [{ tool: 'click', caller: 'ci-7', urls: ['https://staging.example/'] }, 'ci-stays-on-staging'],
    [{ tool: 'click', caller: 'ci-7', urls: ['https://www.example/'] }, 'ci-nothing-else'],
    [{ tool: 'pdf', files: [{ named: '/srv/private/a', real: '/srv/private/a' }] }, 'rule 6 of policy.yaml'],
    [{ tool: 'click', urls: ['https://www.example/'] }, 'default of policy.yaml'],
  ];
  for (const [given, rule] of rows) expect(decide(policy, facts(given))?.rule).toBe(rule);
});

it('allows by default', async () => {
  const policy = await read('policy.yaml', 'rules:\n  - {decision: deny, tool: evaluate}\n');
  expect(decide(policy, facts({}))).toEqual({ decision: 'allow', rule: 'default of policy.yaml' });
});

it('knows a folder by where its links lead, too', async () => {
  const { place, working, put } = makeFolders();
  mkdirSync(join(working, 'real'));
  symlinkSync(join(working, 'real'), join(working, 'link'));
  const text = `default: deny\nrules:\n  - {decision: allow, path: "${working}/link/**"}\n`;
  const policy = await readPolicy(put(working, 'policy.yaml', text), place);
  const file = { named: `${working}/link/a`, real: `${working}/real/a` };
  expect(decide(policy, facts({ files: [file] }))?.decision).toBe('allow');
});

const rule = (text: string): string => `rules:\n  - decision: deny\n    ${text}\n`;

describe('a mistake is told with file, line and key', () => {
  it.each([
    ['defualt: deny\n', 'policy.yaml:1: unknown key "defualt". Did you mean default?'],
    ['default: deny\nsomething: 1\n', 'policy.yaml:2: unknown key "something". Keys: default, rules.'],
    ['default: maybe\n', 'policy.yaml:1: default "maybe": expected one of allow, deny, ask.'],
    ['default: deny\ndefault: allow\n', 'policy.yaml:2: default stands twice.'],
    ['rules: all\n', 'policy.yaml:1: rules "all": expected a list.'],
    ['rules:\n  - deny\n', 'policy.yaml:2: "deny": expected keys with values.'],
    ['rules:\n  - tool: click\n', 'policy.yaml:2: rule 1 has no decision. Give decision: allow, deny, ask.'],
    [rule('efect: danger'), 'policy.yaml:3: unknown key "efect". Did you mean effect?'],
    [rule('effect: harmful'), 'policy.yaml:3: effect "harmful": expected one or a list of read, write, danger.'],
    [rule('effect: [read, harmful]'), 'policy.yaml:3: effect ["read","harmful"]: expected one or a list of'],
    [rule('effect: []'), 'policy.yaml:3: effect []: expected one or a list of'],
    [rule('tool: clik'), 'policy.yaml:3: no tool is called clik. Did you mean click?'],
    [rule('tool: [click, "zoom*"]'), 'policy.yaml:3: no tool is called zoom*.'],
    [rule('tool: chrome_javascript'), 'policy.yaml:3: no tool is called chrome_javascript. Did you mean evaluate?'],
    [rule('tool: 5'), 'policy.yaml:3: tool 5: expected a tool or a list of them'],
    [rule('tool: Click me'), 'policy.yaml:3: tool "Click me": expected a tool or a list of them'],
    [rule('caller: "a b"'), 'policy.yaml:3: caller "a b": expected the id of a caller'],
    [rule('url: "http://"'), 'policy.yaml:3: url "http://": expected a pattern or a list of them'],
    [rule('url: "^https://("'), 'policy.yaml:3: url "^https://(": expected a pattern'],
    [rule('path: data/**'), 'policy.yaml:3: path "data/**": expected an absolute path'],
    [rule('name: ""'), 'policy.yaml:3: name "": expected a name'],
    [rule('name: "a\\nb"'), 'policy.yaml:3: name "a\\nb": expected a name'],
    [rule('tool: click\n    tool: fill'), 'policy.yaml:4: not valid YAML: Map keys must be unique.'],
    [
      'rules:\n  - {name: a, decision: deny}\n  - {name: a, decision: ask}\n',
      'policy.yaml:3: the name "a" stands twice.',
    ],
    ['rules:\n - decision: deny\n  x: 1\n', 'policy.yaml:3: not valid YAML'],
    ['', 'says nothing. It has the keys default and rules.'],
    ['# nothing\n', 'says nothing.'],
  ])('%j', async (text, line) => {
    expect(await mistake('policy.yaml', text)).toContain(line);
  });

  it.each([
    [
      'policy.toml',
      '[[rules]]\ndecision = "deny"\n\n[[rules]]\ndecision = "deny"\ntool = "clik"\n',
      'policy.toml:6: no tool is called clik.',
    ],
    ['policy.toml', 'default = deny\n', 'policy.toml:1: not valid TOML'],
    [
      'policy.json',
      '{\n  "rules": [\n    { "decision": "deny",\n      "tool": "clik" }\n  ]\n}',
      'policy.json:4: no tool is called clik.',
    ],
    [
      'policy.json',
      '{\n  "rules": [{ "decision": "deny", "decision": "allow" }]\n}',
      'policy.json:2: not valid JSON: the key "decision" stands twice.',
    ],
    ['policy.json', '{ "default": }', 'policy.json:1: not valid JSON'],
    ['policy.txt', 'default: deny', 'policy.txt is no policy file. Its name must end in .yaml, .yml, .toml, .json.'],
  ])('%s %j', async (name, text, line) => {
    expect(await mistake(name, text)).toContain(line);
  });

  it('of bytes that are no text, or are too many', async () => {
    expect(await mistake('policy.yaml', new Uint8Array([0xff, 0xfe, 0x00]))).toContain('is not UTF-8 text.');
    expect(await mistake('policy.yaml', `#${'x'.repeat(1_000_001)}`)).toContain('it is larger than 1 MB.');
  });

  it('of a file that is not there, or is none', async () => {
    const { place, working } = makeFolders();
    const missing = readPolicy(join(working, 'none.yaml'), place);
    await expect(missing).rejects.toThrow(/^There is no policy file .*none\.yaml\.$/);
    mkdirSync(join(working, 'folder.yaml'));
    await expect(readPolicy(join(working, 'folder.yaml'), place)).rejects.toThrow(/it is not a file\.$/);
  });
});
