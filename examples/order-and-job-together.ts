/**
 * Rows and jobs in one transaction. An order and the job that ships it are stored together or not at all. The job completes
 * in the transaction that updates the order.
 */
import { commit, open } from "andon";

const andon = await open("sqlite::memory:");
const shipping = andon.queue<{ order: number }>("shipping");
await andon.transaction(async (tx) => {
  await tx.query("create table orders (id integer primary key, item text not null, state text not null)");
});

/** `add` joins the transaction through `tx`: the job exists if and only if the order does. */
function placeOrder(id: number, item: string, isPaid: boolean): Promise<void> {
  return andon.transaction(async (tx) => {
    await tx.query("insert into orders (id, item, state) values ($1, $2, 'new')", [id, item]);
    await shipping.add({ order: id }, { tx, key: `order-${id}` });
    if (!isPaid) throw new Error(`order ${id} is not paid`);
  });
}

async function printOrders(when: string): Promise<void> {
  const orders = await andon.transaction((tx) =>
    tx.query<{ id: number; item: string; state: string }>("select id, item, state from orders order by id"),
  );
  const shown = orders.map(({ id, item, state }) => `${id} ${item} ${state}`).join(", ");
  const { ready, done } = (await shipping.status()).counts;
  console.log(`${when}: ${shown}; jobs: ${ready} ready, ${done} done`);
}

await placeOrder(1, "kettle", true);
await placeOrder(2, "lamp", false).catch((error: Error) => console.log(`refused: ${error.message}`));
await placeOrder(3, "chair", true);
await printOrders("before");

// `commit` writes the row and completes the job in one transaction; if the claim is lost, neither happens.
const worker = await shipping.work(({ payload }) =>
  commit(async (tx) => {
    await tx.query("update orders set state = 'shipped' where id = $1", [payload.order]);
  }),
);
while ((await shipping.status()).counts.done < 2) await new Promise((resolve) => setTimeout(resolve, 5));
await worker.close();
await printOrders("after");
await andon.close();
