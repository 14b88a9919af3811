// Dialog: one JavaScript dialog that blocks a page until it is answered.
import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from './cdp-session.ts';

export class Dialog {
  readonly type: Protocol.Page.DialogType;
  readonly message: string;
  readonly defaultValue: string;
  readonly #cdp: CdpSession;

  constructor(cdp: CdpSession, { type, message, defaultPrompt }: Protocol.Page.JavascriptDialogOpeningEvent) {
    this.#cdp = cdp;
    this.type = type;
    this.message = message;
    this.defaultValue = defaultPrompt ?? '';
  }

  async accept(promptText = this.defaultValue): Promise<void> {
    await this.#cdp.send('Page.handleJavaScriptDialog', { accept: true, promptText });
  }

  async dismiss(): Promise<void> {
    await this.#cdp.send('Page.handleJavaScriptDialog', { accept: false });
  }
}
