/** Counts while text passes: its length, its readable share and its language. */
export class TextFacts {
  characters = 0;
  #visible = 0;
  #unreadable = 0;
  #hangul = 0;
  #asciiLetters = 0;
  #otherLetters = 0;

  add(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      // The second half of a surrogate pair.
      if (unit >= 0xdc00 && unit <= 0xdfff) continue;
      this.characters++;
      if (unit > 0x20 && unit !== 0xa0 && unit !== 0x3000) this.#visible++;
      if (unit < 0x80) this.#addAscii(unit);
      else if (unit >= 0xac00 && unit <= 0xd7a3) this.#hangul++;
      else if (unit === 0xfffd || (unit >= 0xe000 && unit <= 0xf8ff)) this.#unreadable++;
      else if (unit < 0x2000 || unit >= 0x3040) this.#otherLetters++;
    }
  }

  /** The share of visible characters that are readable; 0 if none is visible. */
  get readableShare(): number {
    return this.#visible === 0 ? 0 : Number(Math.max(0, 1 - this.#unreadable / this.#visible).toFixed(4));
  }

  /** Guesses by script alone: Korean text contains Latin words, English text hardly any letter beyond ASCII. */
  get language(): "ko" | "en" | undefined {
    const letters = this.#hangul + this.#asciiLetters + this.#otherLetters;
    if (letters === 0) return undefined;
    if (this.#hangul / letters >= 0.15) return "ko";
    return this.#asciiLetters / letters >= 0.98 ? "en" : undefined;
  }

  #addAscii(unit: number): void {
    const lower = unit | 0x20;
    if (lower >= 0x61 && lower <= 0x7a) this.#asciiLetters++;
    else if (unit < 0x20 && (unit < 0x09 || unit > 0x0d)) this.#unreadable++;
  }
}
