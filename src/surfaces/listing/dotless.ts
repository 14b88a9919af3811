// Clients that refuse tool names with dots, by the name that they give themselves.

interface Dotless {
  /** Of the client, from its start: bridges add words behind it. */
  name: RegExp;
  why: string;
}

/** The protocol allows dots, but what a client sends a name on to may not. */
export const DOTLESS: readonly Dotless[] = [
  {
    name: /^claude[-_ ]?(?:ai|desktop)\b/i,
    why: 'Claude Desktop and claude.ai show no tool of a server that has one with a dot',
  },
  { name: /^claude[-_ ]?code\b/i, why: 'the API of its models takes letters, digits, _ and - only' },
  { name: /^cursor\b/i, why: 'Cursor refuses such a tool, or calls it by another name' },
  { name: /^(?:codex|openai|chatgpt)\b/i, why: 'the API of its models takes letters, digits, _ and - only' },
  {
    name: /^(?:github[-_ ])?copilot\b/i,
    why: 'Copilot passes the name on to an API that refuses the whole request',
  },
  { name: /^(?:visual studio code|vscode|code - oss)\b/i, why: 'VS Code warns, and renames the tool' },
];

export const refusesDots = (client: string): boolean => DOTLESS.some(({ name }) => name.test(client));
