"""Tests requests and errors against a local test server."""

import io
import json
import pickle
import socket
import threading
import time
import unittest
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from trove_client import (
    AskPassages,
    AskResponse,
    AskRestart,
    AskText,
    FormFile,
    TroveApiError,
    TroveClient,
    ask_events,
)
from trove_client._bodies import Form, Json, Stream
from trove_client._decode import identity, one_of
from trove_client.generated.models import CatResponse, ObjectMeta

JSON = {"Content-Type": "application/json"}


class Server:
    """Answers every request with `answer(handler, body)`; `received` contains the requests."""

    def __init__(self, answer):
        received = self.received = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                body = read_body(self)
                received.append((self.command, self.path, dict(self.headers), body))
                answer(self, body)

            do_GET = do_POST = do_PUT = do_DELETE = handle_any

            def log_message(self, *args):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=lambda: self._server.serve_forever(0.01))

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def read_body(handler):
    if handler.headers.get("Transfer-Encoding") != "chunked":
        return handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
    pieces = []
    while size := int(handler.rfile.readline(), 16):
        pieces.append(handler.rfile.read(size))
        handler.rfile.readline()
    handler.rfile.readline()
    return b"".join(pieces)


def send(handler, status, text, headers=JSON):
    data = text.encode()
    handler.send_response(status)
    for name, value in {**headers, "Content-Length": str(len(data))}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(data)


def always(status, text, headers=JSON):
    return lambda handler, body: send(handler, status, text, headers)


class Calls(unittest.TestCase):
    def fails(self, call, code, status=None):
        with self.assertRaises(TroveApiError) as raised:
            call()
        self.assertEqual(raised.exception.code, code, raised.exception)
        if status is not None:
            self.assertEqual(raised.exception.status, status)
        return raised.exception


class Requests(Calls):
    def test_method_path_query_and_token(self):
        with Server(always(200, '{"results": []}')) as server:
            client = TroveClient(f"{server.url}/base/", token="secret", headers={"X-A": "b"})
            answer = client.retrieval.search("a&b ü/", top_k=3, collapse=True, path=None)
        self.assertEqual(answer.results, [])
        method, path, headers, _ = server.received[0]
        expected = "/base/v1/search?q=a%26b%20%C3%BC%2F&top_k=3&collapse=true"
        self.assertEqual((method, path), ("GET", expected))
        self.assertEqual(headers["Authorization"], "Bearer secret")
        self.assertEqual(headers["X-A"], "b")

    def test_a_path_keeps_its_segments(self):
        with Server(always(404, "{}")) as server:
            jobs = TroveClient(server.url).ingest
            self.fails(lambda: jobs.get_job("a/b?c"), "http_error")
            for name in ("", ".", ".."):
                self.fails(lambda name=name: jobs.get_job(name), "validation_error")
        self.assertEqual([path for _, path, _, _ in server.received], ["/v1/jobs/a%2Fb%3Fc"])
        self.assertNotIn("Authorization", server.received[0][2])

    def test_json_omits_none(self):
        @dataclass
        class Member:
            from_: str = field(metadata={"json": "from"})
            other: object = None

        with Server(always(200, "1")) as server:
            body = Json({"a": Member("x"), "b": None, "c": [Member("y", 1)]})
            answer = TroveClient(server.url).http.json("POST", "/x", identity, body=body)
        self.assertEqual(answer, 1)
        _, _, headers, sent = server.received[0]
        self.assertEqual(json.loads(sent), {"a": {"from": "x"}, "c": [{"from": "y", "other": 1}]})
        self.assertEqual(headers["Content-Type"], "application/json")

    def test_uploads_are_streamed(self):
        content = bytes(range(256)) * 1000
        pieces = [content[:1], b"", content[1:]]
        with Server(always(200, "1")) as server:
            http = TroveClient(server.url).http
            for body in (content, io.BytesIO(content), iter(pieces), pieces):
                stream = Stream(body, "application/x-tar")
                http.json("PUT", "/x", identity, body=stream)
        self.assertEqual([body == content for _, _, _, body in server.received], [True] * 4)
        lengths = [headers.get("Content-Length") for _, _, headers, _ in server.received]
        self.assertEqual(lengths, [str(len(content)), None, None, None])
        self.assertEqual(server.received[1][2]["Content-Type"], "application/x-tar")

    def test_a_form(self):
        files = [FormFile('a "b".txt', b"one", "text/plain"), FormFile("b.bin", io.BytesIO(b"two"))]
        with Server(always(200, "1")) as server:
            form = Form({"files": files, "deep": False, "n": 3, "name": "ü", "none": None})
            TroveClient(server.url).http.json("POST", "/x", identity, body=form)
        _, _, headers, body = server.received[0]
        boundary = headers["Content-Type"].split("boundary=")[1].encode()
        parts = [part.strip(b"\r\n") for part in body.split(b"--" + boundary)]
        head = b'Content-Disposition: form-data; name="'
        self.assertEqual(
            parts,
            [
                b"",
                head + b'files"; filename="a %22b%22.txt"\r\nContent-Type: text/plain\r\n\r\none',
                head
                + b'files"; filename="b.bin"\r\nContent-Type: application/octet-stream\r\n\r\ntwo',
                head + b'deep"\r\n\r\nfalse',
                head + b'n"\r\n\r\n3',
                head + 'name"\r\n\r\nü'.encode(),
                b"--",
            ],
        )

    def test_text_bytes_and_empty_responses(self):
        with Server(always(200, "Größe", {"Content-Type": "text/plain"})) as server:
            http = TroveClient(server.url).http
            self.assertEqual(http.text("GET", "/x"), "Größe")
            self.assertEqual(b"".join(http.stream("GET", "/x")), "Größe".encode())
            self.assertIsNone(http.nothing("DELETE", "/x"))
        with Server(always(204, "", {})) as server:
            self.assertIsNone(TroveClient(server.url).http.json("PUT", "/x", identity))

    def test_one_of_selects_by_required_members(self):
        decode = one_of(CatResponse, ObjectMeta)
        text = {"source": "a", "content": "b", "partial": False, "new": 1}
        meta = {"source": "a", "media_type": None, "size_hint": 1, "fingerprint": None, "content": ""}
        self.assertIsInstance(decode(text), CatResponse)
        self.assertIsInstance(decode(meta), ObjectMeta)
        self.assertRaises(KeyError, decode, {"source": "a"})

        @dataclass
        class Name:
            name: str

            @classmethod
            def from_json(cls, value):
                return cls(value["name"])

        @dataclass
        class Person(Name):
            age: int

            @classmethod
            def from_json(cls, value):
                return cls(value["name"], value["age"])

        self.assertEqual(one_of(Name, Person)({"name": "Ada", "age": 36}), Person("Ada", 36))
        self.assertEqual(one_of(Name, Person)({"name": "Ada"}), Name("Ada"))


class Failures(Calls):
    def test_an_error_of_the_server(self):
        envelope = {"code": "not_found", "detail": "no such job", "suggestions": ["look again", 7]}
        with Server(always(404, json.dumps(envelope))) as server:
            error = self.fails(TroveClient(server.url).server.status, "not_found", 404)
        self.assertEqual((error.detail, error.suggestions), ("no such job", ["look again"]))
        self.assertEqual(str(error), "not_found: no such job")
        self.assertEqual(vars(pickle.loads(pickle.dumps(error))), vars(error))

    def test_errors_with_a_detail_only(self):
        detail = [{"loc": ["body", "question"], "msg": "must not be blank", "type": "value"}]
        with Server(always(422, json.dumps({"detail": detail}))) as server:
            error = self.fails(TroveClient(server.url).server.status, "http_error", 422)
        self.assertEqual(error.detail, "body.question: must not be blank")

    def test_an_error_that_is_not_json(self):
        with Server(always(502, "<html><h1>proxy</h1> is down</html>")) as server:
            error = self.fails(TroveClient(server.url).server.status, "http_error", 502)
        self.assertEqual(error.detail, "HTTP 502 Bad Gateway: proxy is down")

    def test_an_error_of_unclosed_tags_is_parsed_quickly(self):
        started = time.monotonic()
        with Server(always(502, "<" * 200_000)) as server:
            error = self.fails(TroveClient(server.url).server.status, "http_error", 502)
        self.assertEqual(error.detail, "HTTP 502 Bad Gateway: " + "<" * 200)
        self.assertLess(time.monotonic() - started, 3)

    def test_a_response_that_does_not_match_the_api(self):
        for text in ("{", "[]", "{}", "null", '{"connectors": 7, "jobs": {}}'):
            with Server(always(200, text)) as server:
                self.fails(TroveClient(server.url).server.status, "invalid_response", 200)

    def test_a_truncated_response(self):
        def half(handler, _):
            handler.send_response(200)
            handler.send_header("Content-Length", "100")
            handler.end_headers()
            handler.wfile.write(b'{"connectors":')
            handler.close_connection = True

        with Server(half) as server:
            error = self.fails(TroveClient(server.url).server.status, "connection_failed", 200)
        self.assertIn("broke off", error.detail)

    def test_a_refused_connection(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{free.getsockname()[1]}"
            error = self.fails(TroveClient(url).server.status, "connection_failed", 0)
        self.assertIn("trove serve start", error.suggestions[0])

    def test_a_timeout(self):
        held = threading.Event()
        with Server(lambda *_: held.wait()) as server:
            client = TroveClient(server.url, timeout=60)
            self.fails(lambda: client.server.status(timeout=0.05), "timeout", 0)
            held.set()

    def test_an_invalid_base_url(self):
        self.assertRaises(ValueError, TroveClient, "127.0.0.1:8765")

    def test_an_exception_of_an_upload_iterable(self):
        fault = OSError("the file has changed")

        def pieces():
            yield b"x" * 100_000
            raise fault

        with Server(always(200, "1")) as server:
            http = TroveClient(server.url).http
            with self.assertRaises(OSError) as raised:
                http.json("PUT", "/x", identity, body=Stream(pieces(), "application/x-tar"))
        self.assertIs(raised.exception, fault)

    def test_an_upload_that_is_rejected_early(self):
        refusal = json.dumps({"code": "payload_too_large", "detail": "too much", "suggestions": []})
        listener = socket.create_server(("127.0.0.1", 0))

        def refuse():
            connection, _ = listener.accept()
            with connection:
                connection.recv(10_000)
                head = f"HTTP/1.1 413 Too Large\r\nContent-Length: {len(refusal)}\r\n\r\n"
                connection.sendall((head + refusal).encode())
                connection.shutdown(socket.SHUT_WR)
                # Like the server, keep reading the upload for a while.
                for _ in range(100):
                    connection.recv(1_000_000)

        thread = threading.Thread(target=refuse)
        thread.start()
        stream = Stream((b"x" * 1_000_000 for _ in range(2000)), "application/x-tar")
        http = TroveClient(f"http://127.0.0.1:{listener.getsockname()[1]}").http
        self.fails(lambda: http.json("PUT", "/x", identity, body=stream), "payload_too_large", 413)
        thread.join()
        listener.close()


ANSWER = {
    "question": "x",
    "answer": "One. [1]",
    "found": True,
    "model": "m",
    "notice": None,
    "citations": [],
    "passages": [],
}


def event(name, data):
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()


def streaming(*pieces, wait=None):
    """Answers with pieces of a stream of events, in chunks."""

    def answer(handler, body):
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for at, piece in enumerate(pieces):
            if at > 0 and wait is not None and not wait.wait(5):
                break
            handler.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        handler.wfile.write(b"0\r\n\r\n")

    return answer


class AskEvents(Calls):
    def ask(self, server, **options):
        return ask_events(TroveClient(server.url).http, "x", **options)

    def test_events_arrive_before_the_next_ones(self):
        taken = threading.Event()
        first = event("passages", {"passages": []}) + b":\n\n" + event("text", {"text": "Öne."})
        rest = event("later", {}) + event("restart", {}) + event("answer", ANSWER)
        with Server(streaming(first, rest, wait=taken)) as server:
            events = self.ask(server, max_passages=3)
            self.assertEqual(next(events), AskPassages([]))
            self.assertEqual(next(events), AskText("Öne."))
            self.assertFalse(taken.is_set())
            taken.set()
            self.assertEqual(list(events), [AskRestart(), AskResponse.from_json(ANSWER)])
        _, path, headers, sent = server.received[0]
        self.assertEqual(path, "/v1/ask")
        self.assertEqual(headers["Accept"], "text/event-stream, application/json;q=0.5")
        self.assertEqual(json.loads(sent), {"question": "x", "max_passages": 3})

    def test_an_answer_in_json_is_the_only_event(self):
        with Server(always(200, json.dumps(ANSWER))) as server:
            self.assertEqual(list(self.ask(server)), [AskResponse.from_json(ANSWER)])

    def test_failures_are_api_errors(self):
        envelope = {"code": "timed_out", "detail": "Too slow", "suggestions": ["Wait."]}
        for stream, code in (
            (event("error", envelope), "timed_out"),
            (event("text", {"text": "One."}), "connection_failed"),
            (b"event: answer\ndata: {\n\n", "invalid_response"),
            (event("answer", {}), "invalid_response"),
        ):
            with Server(streaming(stream)) as server:
                self.fails(lambda server=server: list(self.ask(server)), code)
        with Server(always(404, json.dumps(envelope))) as server:
            self.fails(lambda: list(self.ask(server)), "timed_out", 404)


if __name__ == "__main__":
    unittest.main()
