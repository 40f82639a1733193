#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/workers.h"

namespace cleave::server {

// What is sent for a request; the connection ends with it.
struct Answer {
  std::string bytes;
  // Where more follows: asked several times a second what to send next, "" for nothing yet, none at
  // the end.
  std::function<std::optional<std::string>()> more;
};

// Sockets, one request each. A single thread waits for all of them and does everything that can be
// slow because of a client; threads work only on requests that have arrived whole, and never touch
// a socket. So clients that send a byte a second, send nothing or never read cost a descriptor and
// some memory, and cannot keep others out.
class Connections {
 public:
  struct Options {
    std::string host;
    int port = 0;        // 0: any that is free
    size_t most = 4000;  // at once; the one that has sent nothing longest makes room
    size_t workers = 64;
    size_t memory = 512 << 20;                  // bytes that requests and answers may take together
    std::chrono::milliseconds request{10'000};  // from its first byte, or none, to its last
    std::chrono::milliseconds stall{10'000};    // of a client that does not read
    std::chrono::milliseconds response{60'000};
  };
  static constexpr size_t kMostHead = 16 * 1024;

  struct Protocol {
    // How many bytes follow a head that are worth waiting for.
    std::function<size_t(std::string_view head)> body_bytes;
    // From several threads at once; must not throw.
    std::function<Answer(std::string_view head, std::string_view body)> answer;
    std::string head_too_large;  // answers without a request
    std::string too_busy;
  };

  // Binds at once; throws core::RunError that says how to choose another port.
  Connections(Options options, Protocol protocol);
  ~Connections();
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  int port() const { return port_; }
  void run();   // until stop()
  void stop();  // from any thread

 private:
  using Clock = std::chrono::steady_clock;
  struct Connection;
  struct Finished {
    uint64_t id;
    Answer answer;
  };

  void wait();
  void accept_all();
  bool make_room();
  void take_finished();
  void serve(Connection& connection, short events);
  void read(Connection& connection);
  void look_for_request(Connection& connection);
  void work_on(Connection& connection);
  void start_writing(Connection& connection, Answer answer);
  void write(Connection& connection);
  void ask_for_more(Connection& connection);
  void drain(Connection& connection);
  void keep_time();
  void keep_memory();
  void finish(uint64_t id, Answer answer);
  void wake();

  // A file descriptor, closed at the end.
  class Descriptor {
   public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor();
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    operator int() const { return fd_; }

   private:
    int fd_;
  };

  const Options options_;
  const Protocol protocol_;
  const Descriptor listener_;
  std::array<int, 2> pipe_;
  const Descriptor wake_read_, wake_write_;  // a byte wakes the thread that waits
  const int port_;
  std::atomic<bool> stopping_{false};
  Clock::time_point accept_again_;  // after descriptors ran out
  Clock::time_point next_tick_;     // when what streams is asked for more
  uint64_t last_id_ = 0;
  std::list<Connection> connections_;  // oldest first
  std::mutex mutex_;
  std::vector<Finished> finished_;
  Workers workers_;  // last: its threads end before what they use
};

}  // namespace cleave::server
