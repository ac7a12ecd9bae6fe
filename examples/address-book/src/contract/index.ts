export { ADDRESS_ERRORS, AddressError } from "./errors.ts";
export { ADDRESS_ROUTES } from "./routes.ts";
