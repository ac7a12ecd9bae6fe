/** Called between small steps of long work: says that it goes on, and throws where it must not. */
export type Pace = () => void;
