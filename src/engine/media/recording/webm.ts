// WebM: wraps encoded video frames into a file that players open and can seek in.

interface Chunk {
  /** A key frame: it needs no frame before it. */
  key: boolean;
  ms: number;
  bytes: Uint8Array;
}

export interface Video {
  codec: 'V_VP8' | 'V_VP9';
  width: number;
  height: number;
  /** How long each frame is shown, in ms. */
  frameMs: number;
  chunks: readonly Chunk[];
}

/** Ids of elements, as the WebM specification gives them. */
const ID = {
  EBML: 0x1a45dfa3,
  EBMLVersion: 0x4286,
  EBMLReadVersion: 0x42f7,
  EBMLMaxIDLength: 0x42f2,
  EBMLMaxSizeLength: 0x42f3,
  DocType: 0x4282,
  DocTypeVersion: 0x4287,
  DocTypeReadVersion: 0x4285,
  Segment: 0x18538067,
  Info: 0x1549a966,
  TimestampScale: 0x2ad7b1,
  Duration: 0x4489,
  MuxingApp: 0x4d80,
  WritingApp: 0x5741,
  Tracks: 0x1654ae6b,
  TrackEntry: 0xae,
  TrackNumber: 0xd7,
  TrackUID: 0x73c5,
  TrackType: 0x83,
  FlagLacing: 0x9c,
  DefaultDuration: 0x23e383,
  CodecID: 0x86,
  Video: 0xe0,
  PixelWidth: 0xb0,
  PixelHeight: 0xba,
  Cues: 0x1c53bb6b,
  CuePoint: 0xbb,
  CueTime: 0xb3,
  CueTrackPositions: 0xb7,
  CueTrack: 0xf7,
  CueClusterPosition: 0xf1,
  Cluster: 0x1f43b675,
  Timestamp: 0xe7,
  SimpleBlock: 0xa3,
} as const;

type ElementName = keyof typeof ID;

const APP = 'tabwright';
const TRACK = 1;
const VIDEO_TRACK = 1;
/** A block stores its time relative to its cluster, in 16 bits of ms. */
const CLUSTER_MS = 30_000;

const HEADER = {
  EBMLVersion: 1,
  EBMLReadVersion: 1,
  EBMLMaxIDLength: 4,
  EBMLMaxSizeLength: 8,
  DocType: 'webm',
  DocTypeVersion: 4,
  DocTypeReadVersion: 2,
};

export function webm(video: Video): Buffer {
  const clusters = clustersOf(video.chunks);
  const head = Buffer.concat([info(video), tracks(video)]);
  // The cues hold the positions of the clusters, which begin after the cues; the length of the cues is the same for any position.
  const offset = head.length + cues(clusters, 0).length;
  const body = [head, cues(clusters, offset), ...clusters.map(({ bytes }) => bytes)];
  return Buffer.concat([element('EBML', values(HEADER)), element('Segment', ...body)]);
}

function info({ chunks, frameMs }: Video): Buffer {
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE((chunks.at(-1)?.ms ?? 0) + frameMs);
  return element('Info', values({ TimestampScale: 1_000_000, Duration: duration, MuxingApp: APP, WritingApp: APP }));
}

function tracks({ codec, width, height, frameMs }: Video): Buffer {
  const track = values({
    TrackNumber: TRACK,
    TrackUID: TRACK,
    TrackType: VIDEO_TRACK,
    FlagLacing: 0,
    DefaultDuration: Math.round(frameMs * 1_000_000),
    CodecID: codec,
    Video: values({ PixelWidth: width, PixelHeight: height }),
  });
  return element('Tracks', element('TrackEntry', track));
}

interface Cluster {
  ms: number;
  bytes: Buffer;
}

/** Each begins with a key frame, or when the time of the cluster before is over. */
function clustersOf(chunks: readonly Chunk[]): Cluster[] {
  const groups: Chunk[][] = [];
  for (const chunk of chunks) {
    const group = groups.at(-1);
    if (!group || chunk.key || chunk.ms - (group[0]?.ms ?? 0) > CLUSTER_MS) groups.push([chunk]);
    else group.push(chunk);
  }
  return groups.map(group => {
    const ms = Math.round(group[0]?.ms ?? 0);
    return { ms, bytes: element('Cluster', values({ Timestamp: ms }), ...group.map(chunk => block(chunk, ms))) };
  });
}

function block({ key, ms, bytes }: Chunk, clusterMs: number): Buffer {
  const head = Buffer.from([0x80 | TRACK, 0, 0, key ? 0x80 : 0]);
  head.writeInt16BE(Math.round(ms) - clusterMs, 1);
  return element('SimpleBlock', head, bytes);
}

/** Where each cluster begins, counted from the content of the segment. */
function cues(clusters: readonly Cluster[], offset: number): Buffer {
  let position = offset;
  const points = clusters.map(({ ms, bytes }) => {
    const CueTrackPositions = values({ CueTrack: TRACK, CueClusterPosition: position });
    position += bytes.length;
    return element('CuePoint', values({ CueTime: ms, CueTrackPositions }));
  });
  return element('Cues', ...points);
}

function element(name: ElementName, ...parts: Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(length) | (1n << 56n));
  return Buffer.concat([Buffer.from(ID[name].toString(16), 'hex'), size, ...parts]);
}

/** Elements with one value each, in the order given. */
const values = (list: { [name in ElementName]?: number | string | Buffer }): Buffer =>
  Buffer.concat(Object.entries(list).map(([name, value]) => element(name as ElementName, bytesOf(value))));

function bytesOf(value: number | string | Buffer): Buffer {
  if (typeof value !== 'number') return Buffer.from(value as string);
  // Always eight bytes: the length of an element must not depend on its value.
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
