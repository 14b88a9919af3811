// WebM: wraps encoded video frames into a file that players open and can seek in.

interface Chunk {
  /** Needs no frame before it. */
  key: boolean;
  ms: number;
  bytes: Uint8Array;
}

export interface Video {
  codec: 'V_VP8' | 'V_VP9';
  width: number;
  height: number;
  /** How long each frame stands, in ms. */
  each: number;
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

const APP = 'tabwright';
const TRACK = 1;
/** A block counts its time from its cluster's, in 16 bits of ms. */
const CLUSTER_MS = 30_000;

export function webm(video: Video): Buffer {
  const clusters = clustersOf(video.chunks);
  const head = Buffer.concat([info(video), tracks(video)]);
  // The places of the clusters depend on the length of the list of places, which does not depend on them.
  const offset = head.length + cues(clusters, 0).length;
  const body = [head, cues(clusters, offset), ...clusters.map(({ bytes }) => bytes)];
  return Buffer.concat([header(), element('Segment', ...body)]);
}

const header = (): Buffer =>
  element(
    'EBML',
    number('EBMLVersion', 1),
    number('EBMLReadVersion', 1),
    number('EBMLMaxIDLength', 4),
    number('EBMLMaxSizeLength', 8),
    text('DocType', 'webm'),
    number('DocTypeVersion', 4),
    number('DocTypeReadVersion', 2),
  );

function info({ chunks, each }: Video): Buffer {
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE((chunks.at(-1)?.ms ?? 0) + each);
  return element(
    'Info',
    number('TimestampScale', 1_000_000),
    element('Duration', duration),
    text('MuxingApp', APP),
    text('WritingApp', APP),
  );
}

const tracks = ({ codec, width, height, each }: Video): Buffer =>
  element(
    'Tracks',
    element(
      'TrackEntry',
      number('TrackNumber', TRACK),
      number('TrackUID', TRACK),
      number('TrackType', 1),
      number('FlagLacing', 0),
      number('DefaultDuration', Math.round(each * 1_000_000)),
      text('CodecID', codec),
      element('Video', number('PixelWidth', width), number('PixelHeight', height)),
    ),
  );

interface Cluster {
  ms: number;
  bytes: Buffer;
}

/** Each begins with a frame that needs none before it. */
function clustersOf(chunks: readonly Chunk[]): Cluster[] {
  const groups: Chunk[][] = [];
  for (const chunk of chunks) {
    const group = groups.at(-1);
    if (!group || chunk.key || chunk.ms - (group[0]?.ms ?? 0) > CLUSTER_MS) groups.push([chunk]);
    else group.push(chunk);
  }
  return groups.map(group => {
    const ms = Math.round(group[0]?.ms ?? 0);
    return { ms, bytes: element('Cluster', number('Timestamp', ms), ...group.map(chunk => block(chunk, ms))) };
  });
}

function block({ key, ms, bytes }: Chunk, since: number): Buffer {
  const head = Buffer.from([0x80 | TRACK, 0, 0, key ? 0x80 : 0]);
  head.writeInt16BE(Math.round(ms) - since, 1);
  return element('SimpleBlock', head, bytes);
}

/** Where each cluster begins, counted from the segment's content. */
function cues(clusters: readonly Cluster[], offset: number): Buffer {
  let at = offset;
  const points = clusters.map(({ ms, bytes }) => {
    const position = element('CueTrackPositions', number('CueTrack', TRACK), number('CueClusterPosition', at));
    at += bytes.length;
    return element('CuePoint', number('CueTime', ms), position);
  });
  return element('Cues', ...points);
}

function element(name: keyof typeof ID, ...parts: Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(length) | (1n << 56n));
  const id = ID[name].toString(16);
  return Buffer.concat([Buffer.from(id, 'hex'), size, ...parts]);
}

/** Always eight bytes: the length of the whole must not depend on the value. */
function number(name: keyof typeof ID, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return element(name, bytes);
}

const text = (name: keyof typeof ID, value: string): Buffer => element(name, Buffer.from(value));
