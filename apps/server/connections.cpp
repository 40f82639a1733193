#include "server/connections.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "fmt/format.h"

namespace cleave::server {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTick{100};         // how often what streams is asked for more
constexpr milliseconds kLongestWait{500};  // how late deadlines may be noticed
constexpr milliseconds kLinger{1000};
constexpr size_t kMostUnsent = 4 << 20;  // of a stream whose reader does not keep up
constexpr size_t kBlock = 64 * 1024;

void make_nonblocking(int fd) {
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

// As many descriptors as the system allows; how many that are.
size_t raise_descriptor_limit() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 256;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<size_t>(limit.rlim_cur);
}

using AddressList = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

AddressList resolve(const std::string& host, int port) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (error != 0) {
    throw core::RunError(fmt::format("{}: no address of this machine: {}; give another --host",
                                     host, ::gai_strerror(error)));
  }
  return {found, ::freeaddrinfo};
}

// No SO_REUSEPORT: another program could take over a part of the connections.
int open_listener(const addrinfo& address) {
  const int fd = ::socket(address.ai_family, address.ai_socktype, address.ai_protocol);
  if (fd < 0) return -1;
  make_nonblocking(fd);
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(fd, address.ai_addr, address.ai_addrlen) == 0 && ::listen(fd, 1024) == 0) return fd;
  const int error = errno;
  ::close(fd);
  errno = error;
  return -1;
}

int listen_on(const std::string& host, int port) {
  const AddressList addresses = resolve(host, port);
  int error = 0;
  for (const addrinfo* address = addresses.get(); address; address = address->ai_next) {
    const int fd = open_listener(*address);
    if (fd >= 0) return fd;
    error = errno;
  }
  if (error == EADDRINUSE) {
    throw core::RunError(fmt::format(
        "{}:{}: the port is taken; choose another with --port P, or --port 0 for any that is free",
        host, port));
  }
  throw core::RunError(
      fmt::format("{}:{}: cannot listen there: {}; choose another --host or "
                  "--port",
                  host, port, std::generic_category().message(error)));
}

int port_of(int fd) {
  sockaddr_storage address = {};
  socklen_t size = sizeof address;
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  std::array<char, 8> text = {};
  ::getnameinfo(reinterpret_cast<sockaddr*>(&address), size, nullptr, 0, text.data(), text.size(),
                NI_NUMERICSERV);
  return std::atoi(text.data());
}

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends = {};
  if (::pipe(ends.data()) != 0) throw core::RunError("no pipe can be made: too many open files");
  for (const int end : ends) make_nonblocking(end);
  return ends;
}

}  // namespace

struct Connections::Connection {
  enum class State { kReading, kWorking, kWriting, kDraining, kEnded };

  Connection(int socket, uint64_t number, Clock::time_point until)
      : fd(socket), id(number), deadline(until) {}

  const Descriptor fd;
  const uint64_t id;
  State state = State::kReading;
  Clock::time_point deadline;  // of the state; none while a worker has it
  Clock::time_point progress;  // when something was sent last
  std::string in;
  size_t head = 0;    // its size, once it is there
  size_t wanted = 0;  // head and body
  Answer out;
  size_t sent = 0;

  bool sends() const { return state == State::kWriting && sent < out.bytes.size(); }
  bool streams() const { return state == State::kWriting && out.more; }
  short events() const {
    if (state == State::kWorking) return 0;
    return static_cast<short>((state != State::kWriting || streams() ? POLLIN : 0) |
                              (sends() ? POLLOUT : 0));
  }
};

Connections::Connections(Options options, Protocol protocol)
    : options_([&] {
        const size_t descriptors = raise_descriptor_limit();
        options.most = std::min(options.most, std::max<size_t>(descriptors, 128) - 64);
        return std::move(options);
      }()),
      protocol_(std::move(protocol)),
      listener_(listen_on(options_.host, options_.port)),
      pipe_(make_pipe()),
      wake_read_(pipe_[0]),
      wake_write_(pipe_[1]),
      port_(port_of(listener_)),
      workers_(options_.workers) {}

Connections::~Connections() = default;

Connections::Descriptor::~Descriptor() { ::close(fd_); }

void Connections::stop() {
  stopping_ = true;
  wake();
}

void Connections::wake() {
  // Where the pipe is full it wakes up anyway.
  static_cast<void>(!::write(wake_write_, "", 1));
}

void Connections::run() {
  while (!stopping_) {
    try {
      wait();
      take_finished();
      keep_time();
      keep_memory();
    } catch (const std::exception&) {
      connections_.clear();  // out of memory: better without these clients than without the server
    }
    connections_.remove_if(
        [](const Connection& connection) { return connection.state == Connection::State::kEnded; });
  }
  connections_.clear();
  ::shutdown(listener_, SHUT_RDWR);  // who is on the way hears of it
}

void Connections::wait() {
  std::vector<pollfd> polled = {{wake_read_, POLLIN, 0}, {listener_, POLLIN, 0}};
  if (Clock::now() < accept_again_) polled[1].fd = -1;
  std::vector<Connection*> who;
  bool streaming = false;
  for (Connection& connection : connections_) {
    streaming |= connection.streams();
    if (connection.events() == 0) continue;
    polled.push_back({connection.fd, connection.events(), 0});
    who.push_back(&connection);
  }
  const milliseconds longest = streaming ? kTick : kLongestWait;
  if (::poll(polled.data(), polled.size(), static_cast<int>(longest.count())) <= 0) return;
  if (polled[0].revents != 0) {
    std::array<char, 256> bytes;
    while (::read(wake_read_, bytes.data(), bytes.size()) > 0) {
    }
  }
  for (size_t i = 0; i < who.size(); ++i) {
    if (polled[i + 2].revents != 0) serve(*who[i], polled[i + 2].revents);
  }
  if (polled[1].revents != 0) accept_all();  // last: it may end connections
}

void Connections::accept_all() {
  for (int count = 0; count < 256; ++count) {
    const int fd = ::accept(listener_, nullptr, nullptr);
    if (fd < 0) {
      const bool none_left = errno == EMFILE || errno == ENFILE || errno == ENOBUFS;
      if (none_left && !make_room()) accept_again_ = Clock::now() + kTick;
      return;
    }
    make_nonblocking(fd);
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connections_.size() >= options_.most && !make_room()) {
      ::close(fd);
      continue;
    }
    connections_.emplace_back(fd, ++last_id_, Clock::now() + options_.request);
  }
}

// Those that are still to ask make room, the oldest first: who is honest asks at once.
bool Connections::make_room() {
  const auto found = std::ranges::find_if(connections_, [](const Connection& connection) {
    return connection.state == Connection::State::kReading ||
           connection.state == Connection::State::kDraining;
  });
  if (found == connections_.end()) return false;
  connections_.erase(found);
  return true;
}

void Connections::finish(uint64_t id, Answer answer) {
  {
    const std::lock_guard lock(mutex_);
    finished_.push_back({id, std::move(answer)});
  }
  wake();
}

void Connections::take_finished() {
  std::vector<Finished> finished;
  {
    const std::lock_guard lock(mutex_);
    finished.swap(finished_);
  }
  for (Finished& one : finished) {
    const auto found = std::ranges::find_if(
        connections_, [&](const Connection& connection) { return connection.id == one.id; });
    if (found != connections_.end()) start_writing(*found, std::move(one.answer));
  }
}

void Connections::serve(Connection& connection, short events) {
  using State = Connection::State;
  if (connection.state == State::kReading) {
    read(connection);
  } else if (connection.state == State::kDraining || connection.streams()) {
    if ((events & ~POLLOUT) != 0) drain(connection);
  }
  if (connection.sends() && (events & ~POLLIN) != 0) write(connection);
}

void Connections::read(Connection& connection) {
  std::array<char, kBlock> block;
  const ssize_t got = ::recv(connection.fd, block.data(), block.size(), 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) {
    connection.state = Connection::State::kEnded;
    return;
  }
  connection.in.append(block.data(), static_cast<size_t>(got));
  look_for_request(connection);
}

void Connections::look_for_request(Connection& connection) {
  constexpr std::string_view kEnd = "\r\n\r\n";
  if (connection.head == 0) {
    const size_t end = connection.in.find(kEnd);
    const size_t size = end == std::string::npos ? connection.in.size() : end + kEnd.size();
    if (size > kMostHead) {
      start_writing(connection, {protocol_.head_too_large, {}});
      return;
    }
    if (end == std::string::npos) return;
    connection.head = size;
    connection.wanted =
        size + protocol_.body_bytes(std::string_view(connection.in).substr(0, size));
  }
  if (connection.in.size() >= connection.wanted) work_on(connection);
}

void Connections::work_on(Connection& connection) {
  connection.state = Connection::State::kWorking;
  connection.in.resize(connection.wanted);
  auto task = [this, id = connection.id, head = connection.head, text = std::move(connection.in)] {
    const std::string_view all = text;
    finish(id, protocol_.answer(all.substr(0, head), all.substr(head)));
  };
  try {
    workers_.add(std::move(task));
  } catch (const std::system_error&) {
    start_writing(connection, {protocol_.too_busy, {}});
  }
}

void Connections::start_writing(Connection& connection, Answer answer) {
  connection.state = Connection::State::kWriting;
  connection.out = std::move(answer);
  connection.progress = Clock::now();
  connection.deadline =
      connection.out.more ? Clock::time_point::max() : connection.progress + options_.response;
  write(connection);
}

void Connections::write(Connection& connection) {
  std::string& bytes = connection.out.bytes;
  while (connection.sent < bytes.size()) {
    const ssize_t put = ::send(connection.fd, bytes.data() + connection.sent,
                               bytes.size() - connection.sent, MSG_NOSIGNAL);
    if (put < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (put <= 0) {
      connection.state = Connection::State::kEnded;
      return;
    }
    connection.sent += static_cast<size_t>(put);
    connection.progress = Clock::now();
  }
  bytes = std::string();
  connection.sent = 0;
  if (connection.out.more) return;
  // To close while something unread has arrived would take the answer from the client.
  ::shutdown(connection.fd, SHUT_WR);
  connection.state = Connection::State::kDraining;
  connection.deadline = Clock::now() + kLinger;
}

void Connections::ask_for_more(Connection& connection) {
  const auto more = connection.out.more();
  if (more) {
    connection.out.bytes += *more;
    if (connection.out.bytes.size() - connection.sent > kMostUnsent) {
      connection.state = Connection::State::kEnded;
      return;
    }
  } else {
    connection.out.more = nullptr;
    connection.deadline = Clock::now() + options_.response;
  }
  if (!connection.sends()) connection.progress = Clock::now();
  write(connection);
}

// What clients still send is of no interest, that they are gone is.
void Connections::drain(Connection& connection) {
  std::array<char, kBlock> block;
  const ssize_t got = ::recv(connection.fd, block.data(), block.size(), 0);
  if (got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR))) return;
  connection.state = Connection::State::kEnded;
}

void Connections::keep_time() {
  const Clock::time_point now = Clock::now();
  const bool tick = now >= next_tick_;
  if (tick) next_tick_ = now + kTick;
  for (Connection& connection : connections_) {
    if (tick && connection.streams()) ask_for_more(connection);
    const bool stalls = connection.sends() && now - connection.progress > options_.stall;
    const bool late = connection.state != Connection::State::kWorking && now > connection.deadline;
    if (stalls || late) connection.state = Connection::State::kEnded;
  }
}

// The oldest go, while all together hold too much.
void Connections::keep_memory() {
  const auto held = [](const Connection& connection) {
    return connection.in.capacity() + connection.out.bytes.capacity();
  };
  size_t total = 0;
  for (const Connection& connection : connections_) total += held(connection);
  for (Connection& connection : connections_) {
    if (total <= options_.memory) return;
    if (connection.state == Connection::State::kWorking) continue;
    total -= held(connection);
    connection.state = Connection::State::kEnded;
  }
}

}  // namespace cleave::server
