/** An answer with 202: what the caller asked for is stored and happens later. */
export class Accepted<Answer = unknown> {
  readonly answer: Answer;

  constructor(answer: Answer) {
    this.answer = answer;
  }
}
