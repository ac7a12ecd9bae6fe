import { type RouteTable, route } from "@andon/contract";
import { pageOf, pageQuery, text } from "@andon/contract/wire";
import * as z from "zod";

const STATES = ["NEW", "CHECKED"] as const;

const address = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  state: z.enum(STATES).describe("`NEW` until its job has checked it."),
});

export const ADDRESS_ROUTES = {
  addresses: {
    list: route({
      method: "GET",
      path: "/addresses",
      access: "addresses.read",
      summary: "Addresses by name.",
      query: pageQuery,
      answer: pageOf(address),
    }),
    add: route({
      method: "POST",
      path: "/addresses",
      access: "addresses.write",
      summary: "Adds an address. Its e-mail address is checked in the background.",
      status: 201,
      body: z.strictObject({
        name: text(200).describe("Whose address it is."),
        email: text(200).describe("The e-mail address."),
      }),
      answer: address,
      errors: ["ADDRESS_TAKEN"],
    }),
  },
} as const satisfies RouteTable;
