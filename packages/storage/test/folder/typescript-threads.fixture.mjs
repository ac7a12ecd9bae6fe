// A thread is Node without vitest, and `--import tsx` leaves threads alone on Node 20: its TypeScript is switched on by hand.
import { register } from "tsx/esm/api";

register();
