// Rules in order, and what a caller may do: pure, with properties that must hold for all rules and calls.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ALLOW_ALL,
  type CallFacts,
  compilePolicy,
  type Decision,
  decide,
  EFFECTS,
  missingPermission,
  nameMatcher,
  type PolicyVerdict,
  pathMatcher,
  type RuleText,
  VERDICTS,
} from '../../src/policy/decide.ts';

const ask = (
  rules: Partial<RuleText>[],
  facts: Partial<CallFacts>,
  fallback: PolicyVerdict = 'allow',
): Decision | undefined =>
  decide(
    compilePolicy(
      {
        rules: rules.map((rule, index) => ({ name: `r${index + 1}`, decision: 'deny' as const, ...rule })),
        otherwise: { name: 'default', decision: fallback },
      },
      'linux',
    ),
    { tool: 'click', effect: 'write', caller: 'ann', urls: [], files: [], ...facts },
  );

const file = (named: string, real = named) => ({ named, real });

describe('decide', () => {
  it('allows everything without rules', () => {
    const facts: CallFacts = {
      tool: 'evaluate',
      effect: 'danger',
      caller: 'x',
      urls: ['https://a.example/'],
      files: [],
    };
    expect(decide(ALLOW_ALL, facts)).toEqual({ decision: 'allow', rule: 'default' });
  });

  it('takes the first rule that matches, and names it', () => {
    const rules = [{ tool: ['evaluate'] }, { decision: 'allow' as const, effect: ['write' as const] }, {}];
    expect(ask(rules, {})).toEqual({ decision: 'allow', rule: 'r2' });
    expect(ask(rules, { tool: 'evaluate' })).toEqual({ decision: 'deny', rule: 'r1' });
    expect(ask(rules, { tool: 'snapshot', effect: 'read' })).toEqual({ decision: 'deny', rule: 'r3' });
  });

  it('wants all conditions of a rule to hold', () => {
    const rule = [{ tool: ['click'], caller: ['ci-*'], url: ['bank.example'] }];
    expect(ask(rule, { caller: 'ci-7', urls: ['https://bank.example/x'] })?.decision).toBe('deny');
    expect(ask(rule, { caller: 'ann', urls: ['https://bank.example/x'] })?.decision).toBe('allow');
    expect(ask(rule, { caller: 'ci-7', urls: ['https://other.example/'] })?.decision).toBe('allow');
    expect(ask(rule, { caller: 'ci-7', tool: 'fill', urls: ['https://bank.example/x'] })?.decision).toBe('allow');
  });

  it('refuses for one url of several, and allows only for all', () => {
    const both = ['https://bank.example/', 'https://news.example/'];
    expect(ask([{ url: ['bank.example'] }], { urls: both })?.decision).toBe('deny');
    expect(ask([{ decision: 'ask', url: ['bank.example'] }], { urls: both })?.decision).toBe('ask');
    expect(ask([{ decision: 'allow', url: ['bank.example'] }], { urls: both }, 'deny')?.decision).toBe('deny');
    expect(ask([{ decision: 'allow', url: ['*.example'] }], { urls: both }, 'deny')?.decision).toBe('allow');
  });

  it('does not apply a rule about urls or paths to a call that has none', () => {
    for (const decision of VERDICTS) {
      const fallback = decision === 'deny' ? 'allow' : 'deny';
      expect(ask([{ decision, url: ['a.example'] }], {}, fallback)?.rule).toBe('default');
      expect(ask([{ decision, path: ['/data/**'] }], {}, fallback)?.rule).toBe('default');
    }
  });

  it('refuses a file by its name and by where its links lead, and allows it only for where they lead', () => {
    const link = [file('/out/link/x', '/data/x')];
    expect(ask([{ path: ['/data/**'] }], { files: link })?.decision).toBe('deny');
    expect(ask([{ path: ['/out/**'] }], { files: link })?.decision).toBe('deny');
    expect(ask([{ decision: 'allow', path: ['/out/**'] }], { files: link }, 'deny')?.decision).toBe('deny');
    expect(ask([{ decision: 'allow', path: ['/data/**'] }], { files: link }, 'deny')?.decision).toBe('allow');
  });

  it('waits for the page where it matters, and only there', () => {
    const pending = { pagePending: true };
    expect(ask([{ url: ['bank.example'] }], pending)).toBeUndefined();
    expect(ask([{ url: ['bank.example'] }], { ...pending, urls: ['https://bank.example/'] })?.rule).toBe('r1');
    expect(ask([{ tool: ['fill'], url: ['bank.example'] }], pending)?.rule).toBe('default');
    expect(ask([{ tool: ['click'] }, { url: ['bank.example'] }], pending)?.rule).toBe('r1');
    const allow = { decision: 'allow' as const, url: ['bank.example'] };
    expect(ask([allow], { ...pending, urls: ['https://other.example/'] }, 'deny')?.rule).toBe('default');
    expect(ask([allow], { ...pending, urls: ['https://bank.example/'] }, 'deny')).toBeUndefined();
  });
});

const HOSTS = ['a.example', 'b.example', 'c.example'];
const urls = fc.constantFrom(...HOSTS).map(host => `https://${host}/page`);
const someOf = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 });
const rule = fc.record(
  {
    decision: fc.constantFrom(...VERDICTS),
    tool: someOf(['click', 'evaluate', 'tab_*']),
    effect: someOf(EFFECTS),
    caller: someOf(['ann', 'ci-*']),
    url: someOf(HOSTS),
    path: someOf(['/a/**', '/b/**']),
  },
  { requiredKeys: ['decision'] },
);
const facts = fc.record({
  tool: fc.constantFrom('click', 'evaluate', 'tab_new', 'read'),
  effect: fc.constantFrom(...EFFECTS),
  caller: fc.constantFrom('ann', 'ci-1', 'bob'),
  urls: fc.array(urls, { maxLength: 3 }),
  files: fc.array(
    fc.constantFrom('/a/x', '/b/y', '/c/z').map(path => file(path)),
    { maxLength: 2 },
  ),
});
const policy = fc.array(rule, { maxLength: 6 });
const verdict = fc.constantFrom(...VERDICTS);

describe('for all rules and calls', () => {
  it('the verdict is that of the rule it names, and no rule before it matches by itself', () =>
    fc.assert(
      fc.property(policy, facts, verdict, (rules, call, fallback) => {
        const said = ask(rules, call, fallback);
        const at = said?.rule === 'default' ? rules.length : Number(said?.rule.slice(1)) - 1;
        expect(said?.decision).toBe(rules[at]?.decision ?? fallback);
        for (const before of rules.slice(0, at)) expect(ask([before], call, fallback)?.rule).toBe('default');
        if (rules[at]) expect(ask([rules[at]], call, fallback)?.rule).toBe('r1');
      }),
    ));

  it('rules behind the one that decides change nothing', () =>
    fc.assert(
      fc.property(policy, policy, facts, (rules, more, call) => {
        const said = ask(rules, call, 'deny');
        if (said?.rule !== 'default') expect(ask([...rules, ...more], call, 'deny')).toEqual(said);
      }),
    ));

  it('a rule that matches everything, put first, decides everything', () =>
    fc.assert(
      fc.property(policy, facts, verdict, (rules, call, decision) => {
        expect(ask([{ decision }, ...rules], call)).toEqual({ decision, rule: 'r1' });
      }),
    ));

  it('one more url or file never turns a refusal by itself into an approval', () =>
    fc.assert(
      fc.property(rule, facts, urls, (one, call, url) => {
        const more = { ...call, urls: [...call.urls, url], files: [...call.files, file('/c/z')] };
        const [before, after] = [ask([one], call, 'deny'), ask([one], more, 'deny')];
        if (one.decision === 'allow' && after?.rule === 'r1')
          // What is allowed with more was allowed with less, or had nothing to be allowed by.
          expect(before?.rule === 'r1' || call.urls.length === 0 || call.files.length === 0).toBe(true);
        if (one.decision !== 'allow' && before?.rule === 'r1') expect(after?.rule).toBe('r1');
      }),
    ));

  it('what is decided before the page is known is decided so on every page', () =>
    fc.assert(
      fc.property(policy, facts, fc.option(urls, { nil: undefined }), (rules, call, page) => {
        const early = ask(rules, { ...call, pagePending: true }, 'deny');
        const late = ask(rules, { ...call, urls: [...call.urls, ...(page ? [page] : [])] }, 'deny');
        expect(late).toBeDefined();
        if (early) expect(late).toEqual(early);
      }),
    ));
});

describe('names and paths', () => {
  it('* stands for any part of a name, and for nothing else', () => {
    expect(nameMatcher(['tab_*'])('tab_new')).toBe(true);
    expect(nameMatcher(['tab_*'])('xtab_new')).toBe(false);
    expect(nameMatcher(['*'])('a/b c')).toBe(true);
    expect(nameMatcher(['a.c'])('abc')).toBe(false);
    expect(nameMatcher(['a', 'b*d'])('bcd')).toBe(true);
  });

  it('* stays in its folder, ** does not', () => {
    expect(pathMatcher(['/data/*'], 'linux')('/data/a')).toBe(true);
    expect(pathMatcher(['/data/*'], 'linux')('/data/a/b')).toBe(false);
    expect(pathMatcher(['/data/**'], 'linux')('/data/a/b')).toBe(true);
    expect(pathMatcher(['/data/**'], 'linux')('/database/a')).toBe(false);
    expect(pathMatcher(['**/id_rsa'], 'linux')('/home/ann/.ssh/id_rsa')).toBe(true);
  });

  it('are compared as the platform compares them', () => {
    expect(pathMatcher(['/Data/**'], 'linux')('/data/a')).toBe(false);
    expect(pathMatcher(['/Data/**'], 'darwin')('/dAta/a')).toBe(true);
    expect(pathMatcher(['C:\\Data\\**'], 'win32')('c:/data/a')).toBe(true);
  });
});

describe('permissions of a caller (S3-21)', () => {
  const click = { name: 'click', effect: 'write' } as const;

  it('say which one is missing', () => {
    expect(missingPermission({}, click)).toBeUndefined();
    expect(missingPermission({ effects: ['read', 'write'], tools: ['cl*'] }, click)).toBeUndefined();
    expect(missingPermission({ effects: ['read'] }, click)).toBe('effects: read');
    expect(missingPermission({ tools: ['snapshot', 'tab_*'] }, click)).toBe('tools: snapshot, tab_*');
    expect(missingPermission({ effects: [] }, click)).toBe('effects: none');
  });

  it('only ever take away', () =>
    fc.assert(
      fc.property(fc.subarray([...EFFECTS]), fc.subarray(['click', 'cl*', '*', 'fill']), (effects, tools) => {
        const isFine = missingPermission({ effects, tools }, click) === undefined;
        if (isFine)
          expect(missingPermission({ effects }, click) ?? missingPermission({ tools }, click)).toBeUndefined();
        expect(isFine).toBe(effects.includes('write') && tools.some(name => name !== 'fill'));
      }),
    ));
});
