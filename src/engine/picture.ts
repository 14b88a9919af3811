// Values in a tool's data that each surface renders in its own way: pictures and files.

/** A picture: an image block over MCP, a file on the command line. */
export class Picture {
  constructor(
    readonly mimeType: string,
    readonly bytes: Buffer,
    readonly width: number,
    readonly height: number,
  ) {}
}

/** A file that the call wrote. */
export interface SavedFile {
  path: string;
  bytes: number;
}
