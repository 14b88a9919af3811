// HTML of the test site that depends on the request: rows, big pages, the sign-up confirmation.

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, c => ESCAPES[c] ?? c);

export function document(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title>${head}</head>
<body>
${body}
</body>
</html>
`;
}

const times = (n: number, make: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => make(i + 1)).join('\n');

/** One label, text input, button and link per row: eight nodes a row. */
export function rowsPage(n: number): string {
  const row = (i: number) =>
    `<div><label for="f${i}">Field ${i}</label><input id="f${i}" name="f${i}" value="value ${i}"><button type="button">Save ${i}</button><a href="/rows?n=${i}">Details ${i}</a></div>`;
  return document(`${n} rows`, `<h1>${n} rows</h1>\n${times(n, row)}`);
}

/** A page with n elements below the body, in sections of a hundred. */
export function bigPage(n: number): string {
  const section = (from: number) => {
    const last = Math.min(from + 99, n);
    let html = '<section>';
    for (let i = from + 1; i <= last; i++)
      html += i % 10 === 0 ? `<button type="button">Do ${i}</button>` : `<p>Line ${i}</p>`;
    return `${html}</section>`;
  };
  let body = '';
  for (let from = 1; from <= n; from += 100) body += `${section(from)}\n`;
  return document(`${n} elements`, body);
}

/** Shows what was posted; the password only as the fact that there was one. */
export function signupDonePage(form: URLSearchParams): string {
  const shown = ['name', 'email', 'country', 'terms'].map(
    key => `<dt>${key}</dt><dd id="${key}">${escapeHtml(form.get(key) ?? '(none)')}</dd>`,
  );
  const password = form.get('password') ? 'set' : '(none)';
  return document(
    'Welcome',
    `<main><h1>Welcome, ${escapeHtml(form.get('name') ?? 'stranger')}</h1>
<dl>${shown.join('')}<dt>password</dt><dd id="password">${password}</dd></dl>
<p><a href="/signup.html">Sign up somebody else</a></p></main>`,
  );
}

export function indexPage(names: string[]): string {
  const items = names.map(name => `<li><a href="/${name}">${name.replace('.html', '')}</a></li>`);
  return document('Test site', `<h1>Test site</h1>\n<ul>\n${items.join('\n')}\n</ul>`);
}

export const alertOnLoadPage = document(
  'Alert on load',
  `<h1>Alert on load</h1>
<p id="state">before the alert</p>
<script>alert('Read this first'); document.getElementById('state').textContent = 'after the alert';</script>`,
);

export const beforeUnloadPage = document(
  'Unsaved changes',
  `<h1>Unsaved changes</h1>
<p><label>Note <input id="note"></label> <a href="/signup.html">Leave</a></p>
<script>
  addEventListener('beforeunload', event => { if (document.getElementById('note').value) event.preventDefault(); });
</script>`,
);
