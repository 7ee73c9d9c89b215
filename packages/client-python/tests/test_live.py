"""Calls every operation of a live server. The environment has its URL, token and folder."""

import gzip
import hashlib
import io
import json
import os
import tarfile
import time
import unittest

import trove_client
from trove_client import (
    BatchedRead,
    BatchedSearch,
    BatchedSearchSuccess,
    BatchFailure,
    CatResponse,
    FilesManifestFile,
    FormFile,
    GraphTriplet,
    ObjectMeta,
    SourceDefinition,
    TroveApiError,
    TroveClient,
)

URL = os.environ["TROVE_TEST_URL"]
TOKEN = os.environ["TROVE_TEST_TOKEN"]
DOCS = os.environ["TROVE_TEST_DOCS"]


def tar_of(**files):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    packed.seek(0)
    return packed


def methods_of(group):
    return [name for name in vars(type(group)) if not name.startswith("_")]


class Watched:
    """A group of the API that records its called methods."""

    def __init__(self, group, called):
        for name in methods_of(group):
            setattr(self, name, self._watching(getattr(group, name), called))

    @staticmethod
    def _watching(method, called):
        def call(*args, **kwargs):
            called.add(method.__qualname__)
            return method(*args, **kwargs)

        return call


class EveryOperation(unittest.TestCase):
    def test_every_operation(self):
        client = TroveClient(URL, token=TOKEN, timeout=60)
        groups = {name: group for name, group in vars(client).items() if name != "http"}
        called = set()
        watched = {name: Watched(group, called) for name, group in groups.items()}
        self.http = client.http
        self.server(watched["server"])
        self.tokens(watched["access"])
        self.before_adding(watched["connectors"])
        job_id = self.adding(watched["ingest"], watched["connectors"])
        hit = self.finding(watched["retrieval"])
        self.reading(watched["browse"], hit)
        self.assertFalse(watched["ingest"].cancel_job(job_id).cancelled)
        self.sending_an_archive(watched["ingest"], watched["browse"])
        self.sending_what_has_changed(watched["ingest"], watched["browse"])
        self.backing_up(watched["server"])
        self.moving_and_removing(watched["connectors"])
        self.graphs(watched["graph"])
        every = {
            f"{type(group).__name__}.{name}"
            for group in groups.values()
            for name in methods_of(group)
        }
        self.assertGreaterEqual(len(every), 18)
        self.assertEqual(every - called, set(), "operations that were not called")

    def graphs(self, graph):
        self.assertEqual(graph.graph_health().status, "ok")
        self.assertEqual(graph.graph_settings().llm_model, "rules")
        added = graph.add_documents(
            ["A fox eats mice.", "Mice eat grain."],
            graph_name="zoo",
            ids=["fox", "mice"],
            metadatas=[{"year": 2020}, {"year": 2021}],
            triplets=[[["fox", "eats", "mice"]], [GraphTriplet("Mice", "eat", "grain")]],
            extract_triplets=False,
        )
        self.assertEqual((added.document_ids, added.num_entities), (["fox", "mice"], 3))
        answer = graph.query_graph("zoo", "Who eats mice?", filter="year = 2020")
        self.assertIn("[fox]", answer.answer)
        self.assertEqual(graph.list_documents("zoo", top_k=1).documents[0].id, "fox")
        entity = graph.get_document("fox", "zoo").entity_ids[0]
        near = graph.graph_neighbors("zoo", entity, limit=3)
        self.assertEqual([neighbor.name for neighbor in near.neighbors], ["mice"])
        self.assertEqual(graph.graph_stats("zoo").passage_count, 2)
        imported = graph.import_sources([f"{DOCS}/fox.md"])
        self.assertEqual((imported.success, imported.num_documents), (True, 1))
        whales = FormFile("whales.md", io.BytesIO(b"# Whales\n\nWhales sing.\n"))
        self.assertEqual(graph.upload_documents([whales], graph_name="zoo").num_chunks, 1)
        names = [each.name for each in graph.list_graphs().graphs]
        self.assertEqual(names, ["default", "zoo"])
        # Only a running build has progress.
        with self.assertRaises(TroveApiError) as built:
            graph.graph_build(graph_name="zoo")
        self.assertEqual((built.exception.status, built.exception.code), (404, "not_found"))
        self.assertTrue(graph.delete_graph("zoo").success)
        with self.assertRaises(TroveApiError) as gone:
            graph.graph_stats("zoo")
        self.assertEqual((gone.exception.status, gone.exception.code), (404, "not_found"))

    def server(self, server):
        self.assertEqual(server.healthz().status, "ok")
        self.assertEqual(server.readyz().status, "ready")
        self.assertIn("trove_http_requests_total", server.metrics())
        self.assertIn("file", server.get_server_info().capabilities.schemes)
        self.assertEqual(server.status().connectors, [])
        self.assertTrue(server.get_open_api()["openapi"].startswith("3.1"))

    def tokens(self, api):
        created = api.create_token("ci", rights="sync")
        user = TroveClient(URL, token=created.token, timeout=60)
        self.assertEqual(user.server.status().connectors, [])
        self.assertNotEqual(api.rotate_token("ci", overlap_s=60).token, created.token)
        self.assertEqual([each.rights for each in api.list_tokens().tokens], ["sync", "sync"])
        self.assertEqual(api.revoke_token("ci").revoked, 2)

    def before_adding(self, connectors):
        self.assertTrue(connectors.probe_connector(DOCS).ok)
        self.assertGreater(connectors.estimate_connector(DOCS).est_chunks, 0)
        found = connectors.list_source_kinds(address="https://acme.atlassian.net/browse/OPS-1")
        self.assertEqual(found.recognised[0].scheme, "jira")
        self.assertEqual(connectors.describe_connector("file").config_schema["type"], "object")
        # The connector of files explains no requests.
        with self.assertRaises(TroveApiError):
            connectors.explain_connector(DOCS)

    def adding(self, ingest, connectors):
        job_id = ingest.add_source(DOCS, config={"ignore": ["*.bin"]}, process=True).job_id
        job = ingest.get_job(job_id)
        self.assertEqual((job.status, job.error), ("succeeded", None))
        self.assertEqual([job.id for job in ingest.list_jobs(limit=5)], [job_id])
        self.assertEqual(connectors.inspect_connector(DOCS)["type"], "file")
        return job_id

    def backing_up(self, server):
        self.assertEqual(server.start_backup(DOCS + "-backup").status, "running")
        while server.get_backup().status == "running":
            time.sleep(0.05)
        self.assertEqual(server.get_backup().status, "succeeded")

    def moving_and_removing(self, connectors):
        exported = connectors.export_sources().sources
        sources = [SourceDefinition(each.target, each.config) for each in exported]
        applied = connectors.apply_sources(sources, dry_run=True)
        self.assertEqual([change.action for change in applied.changes], ["none"])
        self.assertTrue(connectors.schedule_connector(DOCS, paused=True).paused)
        self.assertFalse(connectors.schedule_connector(DOCS, paused=False).paused)
        away = DOCS + "-moved"
        os.rename(DOCS, away)
        self.assertTrue(connectors.move_connector(DOCS, to=away).target.endswith(away))
        os.rename(away, DOCS)
        self.assertTrue(connectors.remove_connector(away).removed)

    def sending_an_archive(self, ingest, browse):
        guide = b"# Guide\n" * 100_000
        tar = tar_of(**{"guide.md": guide, "more/notes.md": b"# Notes\n"})
        packed = gzip.compress(tar.getvalue())
        pieces = (packed[at : at + 100] for at in range(0, len(packed), 100))
        for body, media_type in [(tar, "application/x-tar"), (pieces, "application/gzip")]:
            job_id = ingest.upload_source(
                "papers", body, content_type=media_type, process=True
            ).job_id
            self.assertEqual(ingest.get_job(job_id).status, "succeeded")
        self.assertEqual(browse.head("file://papers/guide.md", n=1).content, "# Guide\n")

    def sending_what_has_changed(self, ingest, browse):
        content = b"# Plan\n"
        source = {"client_id": "laptop", "root": "/home/me"}
        file = FilesManifestFile("plan.md", len(content), 1_700_000_000_000_000_123, inode=7)
        manifest = ingest.files_manifest(**source, files=[file])
        self.assertEqual(manifest.need_sha1, ["plan.md"])
        sha1 = hashlib.sha1(content).hexdigest()
        hashes = [{**vars(file), "sha1": sha1}]
        meta = json.dumps({"hashes": hashes, "renames": [], "deletions": []}).encode()
        bundle = tar_of(**{".trove-meta.json": meta, "plan.md": content})
        ingest.files_upload(
            **source, body=bundle, content_type="application/x-tar", process=True
        )
        self.assertEqual(ingest.files_manifest(**source, files=[file]).need_sha1, [])
        text = browse.cat(f"{manifest.connector_uri}/plan.md").content
        self.assertEqual(text, content.decode())

    def finding(self, retrieval):
        hits = retrieval.search("quick brown fox", top_k=3, collapse=True).results
        self.assertTrue(hits[0].source.endswith("/fox.md"))
        self.assertGreater(hits[0].score, 0.5)
        self.assertEqual(hits[0].metadata.chunk_kind, "body")
        explained = retrieval.search("quick brown fox", explain=True).results
        words = explained[0].explanation.words
        self.assertEqual([each.word for each in words], ["quick", "brown", "fox"])
        answer = retrieval.ask("Where is the quick brown fox?", max_passages=3)
        self.assertTrue(answer.found)
        self.assertEqual(answer.citations[0].source, hits[0].source)
        question = "Where is the quick brown fox?"
        events = list(trove_client.ask_events(self.http, question, max_passages=3))
        self.assertEqual(events, [trove_client.AskPassages(answer.passages), answer])
        found = retrieval.grep("FEEDanimals", ignore_case=True)
        self.assertEqual([match.via for match in found.results], ["pushdown"])
        self.assertFalse(found.truncated)
        symbols = retrieval.symbols("feedAnimals()", references=5)
        self.assertEqual([each.kind for each in symbols.definitions], ["function"])
        queries = [BatchedSearch("brown fox", top_k=1), BatchedSearch("fox", path="/nope")]
        first, second = retrieval.search_batch(queries).results
        self.assertIsInstance(first, BatchedSearchSuccess)
        self.assertEqual(first.value.results[0].source, hits[0].source)
        self.assertIsInstance(second, BatchFailure)
        self.assertEqual(second.error.code, "not_found")
        return hits[0]

    def reading(self, browse, hit):
        listed = browse.ls(DOCS)
        self.assertIn("fox.md", [entry.name for entry in listed.entries])
        self.assertTrue(listed.capabilities.object.read)
        text = browse.cat(hit.source, locator=json.dumps(hit.locator))
        self.assertIsInstance(text, CatResponse)
        self.assertIn(hit.content, text.content)
        meta = browse.cat(hit.source, meta=True)
        self.assertIsInstance(meta, ObjectMeta)
        self.assertEqual(meta.media_type, "text/markdown")
        reads = [BatchedRead(hit.source, range="1:1"), BatchedRead(hit.source, meta=True)]
        line, facts = browse.read_batch(reads).results
        self.assertEqual(line.value.content, "# Animals\n")
        self.assertIsInstance(facts.value, ObjectMeta)
        self.assertEqual(browse.head(hit.source, n=1).content, "# Animals\n")
        self.assertEqual(browse.tail(hit.source, n=1).content, "A fern.\n")
        whole = browse.export(f"{DOCS}/large.txt")
        self.assertEqual(len(whole.content), 1_200_000)
        self.assertFalse(whole.partial)


class Errors(unittest.TestCase):
    def test_an_error_of_the_server(self):
        with self.assertRaises(TroveApiError) as raised:
            TroveClient(URL, token=TOKEN).ingest.get_job("no/such job?")
        error = raised.exception
        self.assertEqual((error.status, error.code), (404, "not_found"))
        self.assertTrue(error.detail)
        self.assertIsInstance(error.suggestions, list)

    def test_a_wrong_token(self):
        for token in (None, "wrong"):
            with self.assertRaises(TroveApiError) as raised:
                TroveClient(URL, token=token).server.status()
            self.assertEqual(raised.exception.code, "unauthorized")
        self.assertEqual(TroveClient(URL).server.healthz().status, "ok")

    def test_an_invalid_value(self):
        with self.assertRaises(TroveApiError) as raised:
            TroveClient(URL, token=TOKEN).retrieval.search("x", top_k=0)
        self.assertEqual(raised.exception.status, 422)
        self.assertIn("query.top_k", raised.exception.detail)


class Exports(unittest.TestCase):
    def test_all_exported_names_exist(self):
        for name in trove_client.__all__:
            self.assertTrue(hasattr(trove_client, name), name)


if __name__ == "__main__":
    unittest.main()
