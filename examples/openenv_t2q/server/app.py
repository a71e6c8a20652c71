"""The server's application, set up by variables: T2Q_LEVEL, T2Q_SPLIT, T2Q_SESSIONS and others."""

import argparse

import uvicorn

from worldquiz.t2q.training.openenv import application

app = application()


def main() -> None:
    """Serve it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    asked = parser.parse_args()
    uvicorn.run(app, host=asked.host, port=asked.port)


if __name__ == "__main__":
    main()
