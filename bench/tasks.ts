// The measured tasks: each drives one server once, proves that what it asked for happened, and gives figures.
import { type Answer, Driver, type Ground } from './driver.ts';
import type { Figures, MetricKey, TaskName } from './metrics.ts';
import { FIRST_WORDS, LAST_WORDS, type Pages } from './pages.ts';
import type { Call, Field, Server } from './servers.ts';

/** How often a short call is made per round. */
const REPEATS = 5;
const NUMBERS = Array.from({ length: REPEATS }, (_, at) => at + 1);

export type Task = (driver: Driver, pages: Pages, round: number) => Promise<Figures[]>;

function mustHave(text: string, words: string): void {
  if (!text.includes(words)) throw new Error(`"${words}" is not in the answer: ${text.slice(0, 500)}`);
}

const figures = (ms: MetricKey, chars: MetricKey, answer: Answer): Figures => ({
  [ms]: answer.ms,
  [chars]: answer.text.length,
});

/** Nothing where memory cannot be read. */
export function weigh(driver: Driver, metric: MetricKey): Figures {
  const memory = driver.client.memory();
  return memory === undefined ? {} : { [metric]: memory };
}

/** From nothing to the list of tools and to the first page, in a browser that was not there before. */
export async function start(server: Server, ground: Ground, pages: Pages): Promise<Figures> {
  const started = performance.now();
  const driver = new Driver(server, ground);
  try {
    await driver.client.initialize();
    const { tools, chars } = await driver.list();
    const startToList = performance.now() - started;
    await driver.open(pages.rows(20));
    const startToPage = performance.now() - started;
    await driver.expect('document.title', '20 rows');
    return { startToList, startToPage, listTools: tools, listChars: chars, ...weigh(driver, 'memoryFirst') };
  } finally {
    await driver.end();
  }
}

const navigate: Task = async (driver, pages, round) => {
  const found: Figures[] = [];
  for (const number of NUMBERS) {
    // Each time another address, so that it is never the page that is there already.
    const url = `${pages.rows(20)}&visit=${round}-${number}`;
    const { ms } = await driver.open(url);
    found.push({ navigate: ms });
  }
  await driver.expect('document.title + location.search', `20 rows?n=20&visit=${round}-${REPEATS}`);
  return found;
};

/** Of a page that has come to rest: the first answer after a load waits for the page, not for the server. */
async function readAgain(driver: Driver, read: Call, times: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < times; at++) answers.push(await driver.call(read));
  return answers;
}

async function readFresh(driver: Driver, url: string, read: Call, words: string[]): Promise<Answer> {
  await driver.open(url);
  const answer = await driver.call(read);
  for (const each of words) mustHave(answer.text, each);
  return answer;
}

const snapshot20: Task = async (driver, pages) => {
  const { read } = driver.server;
  const first = await readFresh(driver, pages.rows(20), read, ['"Save 1"', '"Save 20"', 'value 20']);
  const later = await readAgain(driver, read, REPEATS);
  return later.map(({ ms }) => figures('snapshot20', 'snapshot20Chars', { ...first, ms }));
};

const controls20: Task = async (driver, pages) => {
  const { readControls } = driver.server;
  if (!readControls) return [];
  const first = await readFresh(driver, pages.rows(20), readControls, ['"Save 1"', '"Save 20"']);
  const later = await readAgain(driver, readControls, REPEATS);
  return later.map(({ ms }) => figures('controls20', 'controls20Chars', { ...first, ms }));
};

/** Not the last row: an answer may be bounded, when it says so. */
const snapshot1000: Task = async (driver, pages) => {
  const { read } = driver.server;
  const first = await readFresh(driver, pages.rows(1000), read, ['"Save 1"', '"Save 100"']);
  const [later = first] = await readAgain(driver, read, 1);
  return [figures('snapshot1000', 'snapshot1000Chars', { ...first, ms: later.ms })];
};

const article: Task = async (driver, pages) => {
  const { readWords } = driver.server;
  if (!readWords) return [];
  const first = await readFresh(driver, pages.article, readWords, [FIRST_WORDS, LAST_WORDS]);
  const [later = first] = await readAgain(driver, readWords, 1);
  return [figures('article', 'articleChars', { ...first, ms: later.ms })];
};

const click: Task = async (driver, pages) => {
  const { text } = await readFresh(driver, pages.rows(20), driver.server.read, []);
  const noteClicks = `addEventListener('click', e => { document.body.dataset.hit += e.isTrusted ? ' ' + e.target.textContent : ' untrusted'; }, true)`;
  await driver.expect(`(document.body.dataset.hit = '', ${noteClicks})`, 'undefined');
  const found: Figures[] = [];
  for (const number of NUMBERS) {
    const { ms } = await driver.call(driver.server.click(driver.ref(text, 'button', `Save ${number}`)));
    found.push({ click: ms });
  }
  await driver.expect('document.body.dataset.hit', NUMBERS.map(number => ` Save ${number}`).join(''));
  return found;
};

const fill: Task = async (driver, pages, round) => {
  const { text } = await readFresh(driver, pages.rows(20), driver.server.read, []);
  const found: Figures[] = [];
  const value = (number: number) => `round ${round} field ${number}`;
  for (const number of NUMBERS) {
    const ref = driver.ref(text, 'textbox', `Field ${number}`);
    const { ms } = await driver.call(driver.server.fill(ref, value(number)));
    found.push({ fill: ms });
  }
  const values = `[...document.querySelectorAll('input')].slice(0, ${REPEATS}).map(field => field.value).join()`;
  await driver.expect(values, NUMBERS.map(value).join());
  return found;
};

const evaluate: Task = async (driver, pages) => {
  await driver.open(pages.rows(20));
  const found: Figures[] = [];
  for (const _ of NUMBERS) {
    const { ms, text } = await driver.call(driver.server.evaluate('document.title'));
    mustHave(text, '20 rows');
    found.push({ evaluate: ms });
  }
  return found;
};

/** Where a PNG has its width; the height follows. */
const PNG_SIZE_AT = 16;

function mustBePicture({ content }: Answer): void {
  const data = Buffer.from(content.find(item => item.type === 'image')?.data ?? '', 'base64');
  if (data.length < PNG_SIZE_AT + 8) throw new Error('the answer has no picture');
  const size = `${data.readUInt32BE(PNG_SIZE_AT)}x${data.readUInt32BE(PNG_SIZE_AT + 4)}`;
  if (size !== '1280x720') throw new Error(`the picture is ${size}`);
}

const screenshot: Task = async (driver, pages) => {
  await driver.open(pages.rows(20));
  const found: Figures[] = [];
  for (const _ of NUMBERS) {
    const answer = await driver.call(driver.server.screenshot);
    mustBePicture(answer);
    found.push({ screenshot: answer.ms });
  }
  return found;
};

type Question = Omit<Field, 'ref'> & { key: string; sent: string };

const QUESTIONS: readonly Question[] = [
  { key: 'name', role: 'textbox', name: 'Full name', value: 'Ada Lovelace', sent: 'Ada Lovelace' },
  { key: 'email', role: 'textbox', name: 'Email', value: 'ada@example.com', sent: 'ada@example.com' },
  { key: 'password', role: 'textbox', name: 'Password', value: 'engine-1843', sent: 'engine-1843' },
  { key: 'country', role: 'combobox', name: 'Country', value: 'Austria', sent: 'at' },
  { key: 'terms', role: 'checkbox', name: 'I accept the terms', value: 'true', sent: 'yes' },
];

const OUTCOME = 'Welcome, Ada Lovelace';
const MOST_LOOKS = 20;

/** Opens, reads, fills five fields, submits and reads the outcome. */
const form: Task = async (driver, pages) => {
  const { server } = driver;
  if (!server.fillForm) return [];
  pages.takeSignups();
  let chars = 0;
  const step = async (call: Call): Promise<string> => {
    const { text } = await driver.call(call);
    chars += text.length;
    return text;
  };
  const started = performance.now();
  await step(server.open(pages.signup));
  const snapshot = await step(server.read);
  const fields = QUESTIONS.map(({ role, name, value }) => ({
    role,
    name,
    value,
    ref: driver.ref(snapshot, role, name),
  }));
  for (const call of server.fillForm(fields)) await step(call);
  await step(server.click(driver.ref(snapshot, 'button', 'Sign up')));
  // Not every click waits for the page that it opens: like an agent, look again.
  let outcome = await step(server.read);
  for (let look = 1; look < MOST_LOOKS && !outcome.includes(OUTCOME); look++) outcome = await step(server.read);
  mustHave(outcome, OUTCOME);
  const ms = performance.now() - started;
  const sent = pages.takeSignups();
  const wrong = QUESTIONS.filter(({ key, sent: value }) => sent[0]?.get(key) !== value).map(({ key }) => key);
  if (sent.length !== 1 || wrong.length > 0) throw new Error(`${sent.length} sign-ups, wrong: ${wrong.join(', ')}`);
  return [{ form: ms, formChars: chars }];
};

/** The tasks of a running server, in the order of a round. */
export const TASKS: Partial<Record<TaskName, Task>> = {
  navigate,
  'snapshot-20': snapshot20,
  'controls-20': controls20,
  'snapshot-1000': snapshot1000,
  article,
  click,
  fill,
  evaluate,
  screenshot,
  form,
};
