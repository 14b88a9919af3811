// Pictures of made-up pages, for what a server would send of its tabs.
import type { Browser } from 'playwright-core';

const WIDTH = 1280;
const HEIGHT = 720;
const STYLE = `body{margin:0;font:16px/1.5 system-ui;color:#1f2933;background:#f7f8fa}header{padding:16px 40px;background:#0f4c5c;color:#fff;font-weight:600}
main{max-width:1100px;margin:32px auto;padding:0 40px}h1{font-size:26px;margin:0 0 20px}label{display:block;margin:0 0 12px}input,select,button{display:block;width:100%;
height:40px;font:inherit;border:1px solid #8a96a3;border-radius:4px;padding:0 10px;box-sizing:border-box;background:#fff}button{background:#0f4c5c;color:#fff}form{width:460px;margin:0 auto}
table{width:100%;border-collapse:collapse;background:#fff}td,th{padding:12px;border:1px solid #dfe3e8;text-align:left}ul{display:grid;grid-template-columns:repeat(4,1fr);gap:16px;padding:0;list-style:none}li{background:#fff;border:1px solid #dfe3e8;padding:16px}`;

const rows = (count: number, cells: (row: number) => string[]): string =>
  Array.from(
    { length: count },
    (_, row) =>
      `<tr>${cells(row)
        .map(cell => `<td>${cell}</td>`)
        .join('')}</tr>`,
  ).join('');

const PAGES: Record<string, string> = {
  booking: `<header>Northwind Rail</header><main><form><h1>Sign in</h1><label>Email<input></label><label>Password<input type=password></label>
    <label>Language<select><option>English</select></label><label>Date of birth<input type=date></label><button>Sign in</button></form></main>`,
  prices: `<header>Shop</header><main><h1>Laptops: compare prices</h1><ul>${Array.from({ length: 8 }, (_, i) => `<li><b>Model ${i + 11}</b><br>€ ${799 + i * 60}<br>In stock</li>`).join('')}</ul></main>`,
  invoices: `<header>Books</header><main><h1>Invoices 2026</h1><table>${rows(9, row => [`No. ${1184 - row}`, `${28 - row} Oct`, 'Open', `€ ${240 + row * 37}.00`])}</table></main>`,
};

/** A JPEG of the page of a session; another page of it for its other tabs. */
export async function pictureMaker(browser: Browser) {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
  const pictures = new Map<string, Buffer>();
  for (const [name, html] of Object.entries(PAGES)) {
    await page.setContent(`<style>${STYLE}</style>${html}`);
    pictures.set(name, await page.screenshot({ type: 'jpeg', quality: 70 }));
  }
  await page.close();
  const names = [...pictures.keys()];
  return (session: string, tab: number) => {
    const name = tab === 1 ? session : (names[tab % names.length] ?? '');
    const jpeg = pictures.get(pictures.has(session) && tab > 3 ? session : name) ?? pictures.get('prices')!;
    return { jpeg, width: WIDTH, height: HEIGHT };
  };
}
