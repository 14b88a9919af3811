// A few tools under rules that the test gives: they do nothing but tell that they ran.
import { z } from 'zod';
import type { Layer } from '../../src/config/load.ts';
import { compilePolicy, type Policy, type PolicyVerdict, type RuleText } from '../../src/policy/decide.ts';
import { path, savePath, selector, sourceUrl, typedText } from '../../src/tools/arguments.ts';
import { TOOLS } from '../../src/tools/index.ts';
import type { AnyTool, CallLimits } from '../../src/tools/tool.ts';
import { row, setup } from './setup.ts';

/** Rules are called r1, r2, … and deny, unless they say otherwise. */
const policyOf = (rules: Partial<RuleText>[], fallback: PolicyVerdict): Policy =>
  compilePolicy(
    {
      rules: rules.map((rule, index) => ({ name: `r${index + 1}`, decision: 'deny' as const, ...rule })),
      otherwise: { name: 'default of test', decision: fallback },
    },
    process.platform,
  );

const inputOf = (name: string): z.ZodRawShape => TOOLS.find(tool => tool.name === name)?.input;
const file = z.union([path, z.strictObject({ path })]);

/** `ran` has the names of the tools that ran. */
export async function tools(rules: Partial<RuleText>[] = [], fallback: PolicyVerdict = 'allow', layer: Layer = {}) {
  const ran: string[] = [];
  const that = (name: string, input: z.ZodRawShape = {}, more: Partial<AnyTool> = {}): AnyTool =>
    row(name, async () => void ran.push(name), { input: { tabId: z.number().optional(), ...input }, ...more });
  const rows: AnyTool[] = [
    that('look', {}, { effect: 'read' }),
    row('seek', async () => ({ refs: ['@e7'] }), { effect: 'read' }),
    that('click', { selector: selector.optional() }),
    that('fill', { value: typedText() }),
    that('evaluate', inputOf('evaluate'), { effect: 'danger' }),
    that('navigate', inputOf('navigate')),
    that('fetch', { url: sourceUrl.optional(), files: z.array(file).optional() }),
    that('save', { save_path: savePath.optional() }, { on: 'session' }),
    row('whoami', async (_input, limits) => (limits as CallLimits).caller, { on: 'server', effect: 'read' }),
    ...TOOLS.filter(({ name }) => name === 'batch'),
  ];
  return { ran, ...(await setup(rows, layer, policyOf(rules, fallback))) };
}

export const codeOf = ({ failure }: { failure?: { code: string; rule?: string } }) =>
  failure && [failure.code, failure.rule];
