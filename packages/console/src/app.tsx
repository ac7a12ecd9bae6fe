import { useQuery } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useEffect } from "react";
import { startLive } from "./api/live.ts";
import { queryClient } from "./api/query-client.ts";
import { followThroughput } from "./board/throughput.ts";
import { loadRoomsAhead } from "./prepare-room.ts";
import { router } from "./router.tsx";
import { Login } from "./session/login.tsx";
import { MeContext, meQuery, useAllowed } from "./session/session.ts";
import { tellUnfinished } from "./session/unfinished.ts";
import { Loaded } from "./ui/loaded.tsx";

/** Shows nothing and opens no stream before the caller is known. */
export function App() {
  const query = useQuery({ ...meQuery, staleTime: 60_000, refetchOnWindowFocus: true });
  if (query.data === undefined) {
    return (
      <main className="mx-auto max-w-xl p-6">
        <Loaded query={query}>{() => null}</Loaded>
      </main>
    );
  }
  if (query.data === null) return <Login />;
  return (
    <MeContext value={query.data}>
      <SignedIn />
    </MeContext>
  );
}

function SignedIn() {
  const mayListen = useAllowed({ permission: "queue.read" });
  useEffect(tellUnfinished, []);
  useEffect(onFirstUse, []);
  useEffect(() => {
    const stopFollowing = followThroughput();
    const stopLive = startLive(queryClient, mayListen);
    return () => {
      stopLive();
      stopFollowing();
    };
  }, [mayListen]);
  return <RouterProvider router={router} />;
}

const USES = ["pointermove", "pointerdown", "keydown"] as const;

/** Preloads the rooms on the first use of pointer or keyboard. A board on a wall never needs them. */
function onFirstUse(): () => void {
  const ended = new AbortController();
  const load = () => {
    ended.abort();
    loadRoomsAhead();
  };
  for (const use of USES) addEventListener(use, load, { signal: ended.signal, passive: true });
  return () => ended.abort();
}
