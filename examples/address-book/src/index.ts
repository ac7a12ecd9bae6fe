export { addressBook, addressBook as default } from "./app.ts";
