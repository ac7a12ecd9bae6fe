export { Redis } from "ioredis";
