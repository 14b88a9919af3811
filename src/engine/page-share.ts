// What pages may do by themselves between two actions of the caller: open so many tabs, save so many files.

export class PageShare {
  #left: number;
  #refused = 0;

  constructor(
    readonly most: number,
    /** What is told of those that were too many. */
    readonly told: (refused: number) => string,
  ) {
    this.#left = most;
  }

  /** The caller acts: what follows may be what it wants. */
  renew(): void {
    this.#left = this.most;
  }

  /** False when there were enough, or there is no more room. */
  take(isRoom = true): boolean {
    const isLeft = isRoom && this.#left > 0;
    if (isLeft) this.#left--;
    else this.#refused++;
    return isLeft;
  }

  /** Each refusal is told once. */
  takeNotes(): string[] {
    const refused = this.#refused;
    this.#refused = 0;
    return refused === 0 ? [] : [this.told(refused)];
  }
}
