// `--import tsx` leaves threads alone on Node 20, so a runner's TypeScript is switched on by hand.
import { register } from "tsx/esm/api";

register();
