import {
  type Column,
  Empty,
  Loaded,
  PageHead,
  Paging,
  Row,
  Table,
  useAddress,
  useAllowed,
  useLiveQuery,
} from "@andon/console/room";
import { AddForm } from "./add-form.tsx";
import { listQuery } from "./api.ts";
import { useAddressWords } from "./words.ts";

/** The addresses by name, with a form for readers who may add one. */
export default function AddressRoom() {
  const say = useAddressWords();
  const { page, change } = useAddress();
  const query = useLiveQuery(listQuery(page));
  const mayAdd = useAllowed({ permission: "addresses.write" });
  const columns: readonly Column[] = [{ label: say.name }, { label: say.email }, { label: say.state }];
  return (
    <>
      <PageHead title={say.title} />
      {mayAdd && <AddForm />}
      <section aria-label={say.title} className="rounded-lg border border-line bg-panel">
        <Loaded query={query}>
          {(data) =>
            data.items.length === 0 ? (
              <Empty title={say.none} hint={say.noneHint} />
            ) : (
              <>
                <Table label={say.title} columns={columns}>
                  {data.items.map(({ id, name, email, state }) => (
                    <Row
                      key={id}
                      about={id}
                      columns={columns}
                      cells={[
                        <span key="name" className="font-medium wrap-anywhere">
                          {name}
                        </span>,
                        <span key="email" className="wrap-anywhere">
                          {email}
                        </span>,
                        <span key="state" className="whitespace-nowrap">
                          {say.states[state]}
                        </span>,
                      ]}
                    />
                  ))}
                </Table>
                <Paging page={data} onPage={(next) => change({ page: String(next) })} />
              </>
            )
          }
        </Loaded>
      </section>
    </>
  );
}
