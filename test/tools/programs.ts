// Programs of others that judge the files we write. `npm run setup` installs them; a test that lacks one fails and says so.
import { execFileSync } from 'node:child_process';

const PACKAGES: Record<string, string> = {
  ffprobe: 'ffmpeg',
  ffmpeg: 'ffmpeg',
  pdftotext: 'poppler-utils',
  pdfinfo: 'poppler-utils',
  pdftoppm: 'poppler-utils',
};

export function program(name: string, ...args: string[]): Buffer {
  try {
    return execFileSync(name, args, { maxBuffer: 500_000_000, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error(`${name} is not on this machine: install the package ${PACKAGES[name] ?? name} (npm run setup).`);
  }
}

export interface Film {
  codec: string;
  width: number;
  height: number;
  frames: number;
  seconds: number;
}

/** What ffprobe says of a film after decoding all of it. */
export function probe(path: string): Film {
  const text = program('ffprobe', '-v', 'error', '-count_frames', '-show_streams', '-show_format', '-of', 'json', path);
  const { streams, format } = JSON.parse(String(text)) as {
    streams: { codec_name: string; width: number; height: number; nb_read_frames: string }[];
    format: { duration: string };
  };
  const [stream] = streams;
  if (!stream || streams.length !== 1) throw new Error(`${streams.length} streams in ${path}`);
  const { codec_name: codec, width, height, nb_read_frames } = stream;
  return { codec, width, height, frames: Number(nb_read_frames), seconds: Number(format.duration) };
}

export interface Frame {
  /** Red, green, blue. */
  at(x: number, y: number): [number, number, number];
  bytes: Buffer;
}

/** The frames of a film, decoded. */
export function framesOf(path: string): Frame[] {
  const { width, height } = probe(path);
  const raw = program(
    'ffmpeg',
    '-v',
    'error',
    '-i',
    path,
    '-vsync',
    'passthrough',
    '-f',
    'rawvideo',
    '-pix_fmt',
    'rgb24',
    '-',
  );
  const size = width * height * 3;
  return Array.from({ length: raw.length / size }, (_, index) => {
    const bytes = raw.subarray(index * size, (index + 1) * size);
    return {
      bytes,
      at: (x, y) => {
        const from = (Math.round(y) * width + Math.round(x)) * 3;
        return [bytes[from] ?? 0, bytes[from + 1] ?? 0, bytes[from + 2] ?? 0];
      },
    };
  });
}
