// How the reference page looks: light and dark, wide and narrow, without anything from outside.

export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #fbfbfa; --card: #fff; --ink: #1d2126; --soft: #5c6570; --line: #e3e5e8; --code: #f1f3f5;
  --accent: #0b63ce; --post: #16703c; --get: #0b63ce; --chip: #eef4ec; --chip-ink: #2d5a27;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --card: #1b1f23; --ink: #e4e7ea; --soft: #9aa4ae; --line: #2d3339; --code: #23282d;
    --accent: #74b0ff; --post: #6fce92; --get: #74b0ff; --chip: #22301f; --chip-ink: #a9d3a0;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
code, pre { font: 0.875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { background: var(--code); border-radius: 4px; padding: 0.1em 0.35em; overflow-wrap: anywhere; }
pre { background: var(--code); border-radius: 8px; padding: 0.8rem 1rem; margin: 0.8rem 0 0; overflow-x: auto; }
pre code { background: none; padding: 0; overflow-wrap: normal; font-size: 1em; }
.page { display: grid; grid-template-columns: 15rem minmax(0, 1fr); max-width: 76rem; margin: 0 auto; }
nav { grid-column: 1; grid-row: 1 / span 2; position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 2rem 1rem; font-size: 0.9rem; }
nav strong { display: block; margin: 1rem 0 0.2rem; font-size: 0.75rem; letter-spacing: 0.06em; text-transform: uppercase; color: var(--soft); }
nav a { display: block; padding: 0.1rem 0.5rem; border-radius: 6px; color: var(--ink); }
nav a:hover { background: var(--code); text-decoration: none; }
header, main { grid-column: 2; padding: 0 1.5rem; min-width: 0; }
header { padding-top: 2rem; }
header p { max-width: 46rem; }
main { padding-bottom: 4rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 0.3rem; letter-spacing: -0.02em; }
h1 small { font-size: 0.95rem; font-weight: 400; color: var(--soft); letter-spacing: 0; margin-left: 0.4rem; }
h2 { font-size: 1.3rem; margin: 3rem 0 1rem; padding-bottom: 0.3rem; border-bottom: 1px solid var(--line); }
h2::first-letter { text-transform: uppercase; }
h3 { font: 600 1.05rem/1.4 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; margin: 0; }
h3 a { color: inherit; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.1rem 1.25rem; margin: 0 0 1rem; }
article:target { border-color: var(--accent); }
article p { margin: 0.35rem 0; }
.where { font-size: 0.85rem; color: var(--soft); }
.method { font-weight: 700; color: var(--post); }
.method.get { color: var(--get); }
.chip { float: right; background: var(--chip); color: var(--chip-ink); border-radius: 99px; padding: 0.05rem 0.6rem; font-size: 0.75rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; margin-top: 0.7rem; }
th { text-align: left; color: var(--soft); font-weight: 600; font-size: 0.8rem; }
th, td { padding: 0.35rem 0.9rem 0.35rem 0; border-top: 1px solid var(--line); vertical-align: top; }
tr:first-child th { border-top: 0; }
td:first-child code { white-space: nowrap; }
.must { color: var(--accent); font-size: 0.75rem; white-space: nowrap; }
summary { cursor: pointer; color: var(--soft); font-size: 0.85rem; margin-top: 0.7rem; }
@media (max-width: 50rem) {
  .page { display: block; }
  nav { position: static; max-height: none; padding: 0 1rem; }
  nav a { display: inline-block; padding: 0.15rem 0.35rem; }
  header, main { padding: 0 1rem; }
  header { padding-top: 1.2rem; }
  article { padding: 0.9rem 1rem; }
}
@media print { nav, summary { display: none; } .page { display: block; } }
`;
