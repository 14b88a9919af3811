// A zip archive of a few small files, not compressed: what a download server of the tests hands out.
import { crc32 } from 'node:zlib';

export function zip(files: Record<string, string>): Buffer {
  const bodies: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = Buffer.from(text);
    // Version, flags, method, time, date; then what is inside.
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt32LE(crc32(data), 10);
    about.writeUInt32LE(data.length, 14);
    about.writeUInt32LE(data.length, 18);
    about.writeUInt16LE(name.length, 22);
    const body = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), about, Buffer.from(name), data]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(0o100755 * 0x10000, 6);
    place.writeUInt32LE(offset, 10);
    // Made on Unix, so that the mode of the file counts.
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), about, place, Buffer.from(name)]));
    bodies.push(body);
    offset += body.length;
  }
  const index = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(index.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, index, Buffer.from('PK\x05\x06', 'latin1'), end]);
}
