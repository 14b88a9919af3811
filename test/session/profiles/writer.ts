// Runs as a process of its own, which a test kills: changes the file of profiles again and again, and says what it has done.
import { writeSync } from 'node:fs';
import { ProfileStore } from '../../../src/session/profiles/store.ts';

const [file = '', from = '0'] = process.argv.slice(2);
const store = new ProfileStore(file);
for (let state = Number(from) + 1; ; state++) {
  await store.change(all => {
    // All of them say the same: a file that is half of this state and half of another one would tell.
    const row = (at: number) => ({ user_data_dir: `/data/${at}`, description: `${state} `.repeat(50), lang: 'en-US' });
    const rows = Array.from({ length: 40 }, (_, at) => ({ id: `p${at}`, name: `${state}`, ...row(at) }));
    all.splice(0, all.length, ...rows.map(one => ({ ...one, tags: [], custom_args: [] })));
  });
  writeSync(1, `${state}\n`);
}
