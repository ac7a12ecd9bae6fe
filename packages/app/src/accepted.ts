/** An answer with status 202: the request is stored, and is carried out later. */
export class Accepted<Answer = unknown> {
  readonly answer: Answer;

  constructor(answer: Answer) {
    this.answer = answer;
  }
}
