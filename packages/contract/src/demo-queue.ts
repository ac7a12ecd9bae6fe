/** The queue of the demo. A name that nobody takes by chance: removing the demo deletes the queue. */
export const DEMO_QUEUE = "andon-demo";
